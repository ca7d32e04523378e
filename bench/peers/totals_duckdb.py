"""Exact sums of a month's rows by currency, by DuckDB, from the rows as CSV. Prints a line a currency: its COD and fees in 1/10,000.

usage: totals_duckdb.py ROWS.csv
"""

import sys

import duckdb

COLUMNS = {
    "invoice_number": "BIGINT",
    "position": "INTEGER",
    "currency": "VARCHAR",
    "cod": "DECIMAL(18, 4)",
    "delivery_fee": "DECIMAL(18, 4)",
}
rows = duckdb.read_csv(sys.argv[1], header=True, columns=COLUMNS)
sums = rows.aggregate("currency, sum(cod) as cod, sum(delivery_fee) as fee", "currency").order("currency")
for currency, cod, fee in sums.fetchall():
    print(currency, int(cod * 10_000), int(fee * 10_000))
