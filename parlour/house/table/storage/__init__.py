"""Tables in the database: rows as data, and the queries."""
