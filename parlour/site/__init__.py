"""A site without a server: every board runs in the reader's browser (`parlour site`).

`building` writes it: pages drawn with the house's templates, the house's scripts and styles, Python itself (`pyodide`),
and Parlour's own files for it (`bundles`). `parlour.solo` is what then runs in the page.
"""
