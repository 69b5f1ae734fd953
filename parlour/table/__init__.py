"""The web: tables that people play at in a browser. Imports no Numba."""
