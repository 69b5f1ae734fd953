"""The processes in which bots think, whose turn it is to think, and the watchdog of the event loop."""
