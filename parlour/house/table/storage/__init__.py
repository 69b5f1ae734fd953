"""What the database holds of tables: rows as data, and the queries."""
