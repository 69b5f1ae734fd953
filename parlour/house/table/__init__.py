"""A table, in its floors: what is stored, the table in memory, what people do at it, what the house does at it by
itself, what is drawn, and its addresses.

    storage  <-  live  <-  play  <-  jobs  <-  pages  <-  web
"""
