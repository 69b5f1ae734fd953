"""A table, in its floors: what is stored, the table in memory, what people do at it, the house's jobs at it, what is
drawn, and its addresses.

    storage  <-  live  <-  play  <-  jobs  <-  pages  <-  web
"""
