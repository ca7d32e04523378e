"""A plain loop over xlsxwriter's streaming mode: as many cells as asked for, of the kinds and with the formats that a statement's rows have.

usage: xlsxwriter_loop.py FILE CELLS
"""

import sys
from datetime import date, timedelta

import xlsxwriter

filename, cells = sys.argv[1], int(sys.argv[2])
COLUMNS = 19
workbook = xlsxwriter.Workbook(filename, {"constant_memory": True})
amount = workbook.add_format({"num_format": "#,##0.00"})
day = workbook.add_format({"num_format": "yyyy-mm-dd"})
sheet = workbook.add_worksheet("Orders")
first = date(2026, 10, 1)
for row in range(-(-cells // COLUMNS)):
    cod = (500 + (row * 7_919) % 20_000) / 100
    sheet.write_string(row, 0, str(100_000 + row // 750))
    sheet.write_string(row, 1, f"ORD{row:09d}")
    sheet.write_string(row, 2, "USD")
    sheet.write_datetime(row, 3, first + timedelta(days=row % 28), day)
    sheet.write_string(row, 4, f"SHOP-{row}")
    for column, text in enumerate(("Beirut", "STANDARD", "DELIVERED", "PAID_TO_MERCHANT", ""), 5):
        sheet.write_string(row, column, text)
    for column, money in enumerate((cod, 3.5, cod - 3.5, cod, 3.5, cod, 3.5, cod - 3.5, 0), 10):
        sheet.write_number(row, column, money, amount)
workbook.close()
