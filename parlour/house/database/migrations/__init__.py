"""The history of the database's tables, applied by Alembic when a server starts."""
