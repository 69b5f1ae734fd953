"""Drawing: views of a table cut to one guest, and the HTML made from them, with templates, style
and the script.

Imports `staff` and the layers below it. It knows nothing of HTTP.
"""
