"""The web: tables that people play at in a browser. Imports no Numba.

    storage  <-  live  <-  house  <-  play  <-  staff  <-  pages  <-  web

Where tables are kept; a table in memory; the house that holds them all; what people do at a table; what the house does
there by itself; what is drawn; HTTP. Each imports only what stands before it, and `errors`, `measures` and `settings`,
which all may import.
"""
