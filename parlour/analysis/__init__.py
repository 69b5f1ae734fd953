"""Analysis of many games: statistics, tables and pictures."""
