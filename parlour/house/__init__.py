"""The house: a server of tables that people play at in a browser. Imports no Numba.

Each folder is one subject; `table` is what a table is. A module's name says on which floor it is:

    rows  <-  live  <-  house  <-  deeds  <-  jobs  <-  pages  <-  api

What the database holds; a table in memory; the house that holds them all, and what it keeps of each subject; what
people do; what the house does unasked; what is drawn; HTTP. Each imports only its own floor and those before it, of any
subject (tests/delivery/test_arrows.py), and `errors`, `measures`, `settings` and `tasks`, which all may import.
"""
