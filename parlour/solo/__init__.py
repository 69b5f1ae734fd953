"""What runs in the reader's browser: a table against bots, held by a Web Worker on Pyodide.

It uses the rules, scenes and bots as they are, and the standard library alone. Where they use msgspec, which is machine
code, `structs` replaces it. The page's scripts are the house's; `door` answers what they would ask a house.
`parlour.site` makes the files.
"""
