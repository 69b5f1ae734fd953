"""What a viewer sees and reads: plain Python, read by the page, the terminal and notebooks."""
