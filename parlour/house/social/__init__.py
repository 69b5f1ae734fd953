"""Between people: mute and block, reports."""
