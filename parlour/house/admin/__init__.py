"""What moderators see and do: tables, people, bans, reports, the notice to everyone, and the log of it."""
