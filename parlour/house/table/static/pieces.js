// What a press is for: the pieces on the board, and whatever else answers to one.
export const PIECES = ".scene .board :is([data-action], [data-part], [data-why])";
export const ANSWERS = "button, a, summary, input, select, textarea, label, dialog, .bar";
