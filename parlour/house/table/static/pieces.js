// What a press is for: the pieces on the board, and whatever else answers to one.
export const PIECES = ".scene .board :is([data-action], [data-part], [data-why])";
export const BUTTON = ":is(button, [role=button])"; // a token that only says why it can't be pressed is no <button>
export const ANSWERS = "button, [role=button], a, summary, input, select, textarea, label, dialog, .bar";
