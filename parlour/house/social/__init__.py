"""Between people: invitations and rematches, mute and block, reports."""
