"""The database: how it is reached and migrated, its schema, and the store, through which all other code uses it.

What is read and written of each subject is in that subject's `rows`.
"""
