"""HTTP below all subjects: connections, rates, compression, answers, refusals, logs, health and metrics.

It knows no table.
"""
