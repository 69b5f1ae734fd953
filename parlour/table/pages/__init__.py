"""What is drawn: views of a table cut to one guest, and HTML made of them, with templates, style and the script.

Imports `staff` and what stands below it. It knows nothing of HTTP.
"""
