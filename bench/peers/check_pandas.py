"""The core of remit's check as a pandas script would do it, with exact decimals, from the same ledger file. Prints what it counted as JSON.

usage: check_pandas.py LEDGER DAYS YYYY-MM...
"""

import json
import sqlite3
import sys
from datetime import datetime, timedelta, timezone
from decimal import Decimal, getcontext

import pandas as pd

ledger, lag, *months = sys.argv[1:]
database = sqlite3.connect(f"file:{ledger}?mode=ro", uri=True)
getcontext().prec = 40
PLACES = Decimal(10_000)
MONEY = ["cod", "delivery_fee"]
ROW = ["invoice_number", "position"]


def read(query, values=(), money=()):
    table = pd.read_sql_query(query, database, params=list(values))
    for column in money:
        table[column] = table[column].map(lambda units: Decimal(units) / PLACES)
    return table


def differing(left, right, keys, how="outer"):
    """The keys and fields in which two tables state other amounts; what one side lacks counts as nothing."""
    both = left.merge(right, on=keys, how=how, suffixes=("", "_own"))
    columns = [column for column in both if column not in keys and not column.endswith("_own")]
    return sum(
        int((both[column].fillna(Decimal(0)) != both[f"{column}_own"].fillna(Decimal(0))).sum()) for column in columns
    )


chosen = f"period in ({', '.join('?' * len(months))})"
invoices = read(f"select number, period, issued_at, row_count, status from invoice where {chosen}", months)
of_months = f"invoice_number in (select number from invoice where {chosen})"
net = [*MONEY, "net_due_to_merchant"]
headers = read(f"select invoice_number, currency, {', '.join(net)} from invoice_amount where {of_months}", months, net)
listed = read(
    f"select invoice_number, currency, {', '.join(net)} from invoice_listed_amount where {chosen}", months, net
)
counts = read(f"select invoice_number, order_count from invoice_listed where {chosen}", months)
rows = read(
    f"select invoice_number, position, order_id, delivery_state, payment_state from invoice_order where {of_months}",
    months,
)
amounts = read(
    f"select invoice_number, position, currency, cod, delivery_fee from invoice_order_amount where {of_months}",
    months,
    MONEY,
)
book = read(
    "select order_id, delivery_state, first_delivered_at, merchant_invoice, reference_id from courier_order"
)
records = read("select order_id, currency, cod, delivery_fee from courier_order_amount", money=MONEY)

# Inside an invoice: its header against its rows, its net, its place on the list, its states.
lines = amounts.merge(rows, on=ROW)
sums = lines.groupby(["invoice_number", "currency"], sort=False)[MONEY].sum().reset_index()
whole = headers[["invoice_number", "currency", *MONEY]].merge(
    sums, on=["invoice_number", "currency"], how="outer", suffixes=("", "_rows")
)
nothing = Decimal(0)
off_total = {field: int((whole[field].fillna(nothing) != whole[f"{field}_rows"].fillna(nothing)).sum()) for field in MONEY}
off_net = int((headers["cod"] - headers["delivery_fee"] != headers["net_due_to_merchant"]).sum())
off_list = differing(headers, listed, ["invoice_number", "currency"])
numbered = counts.merge(invoices, left_on="invoice_number", right_on="number")
off_count = int((numbered["order_count"] != numbered["row_count"]).sum())
with_status = rows.merge(invoices[["number", "status"]], left_on="invoice_number", right_on="number")
paid = with_status["status"] == "PAID"
off_state = int((paid != (with_status["payment_state"] == "PAID_TO_MERCHANT")).sum())
undelivered = int(((lines["delivery_state"] != "DELIVERED") & (lines["cod"] != nothing)).sum())
cancelled = int(((lines["delivery_state"] == "CANCELLED") & (lines["delivery_fee"] != nothing)).sum())
per_order = rows.groupby("order_id")["invoice_number"].agg(["size", "nunique"])
twice = per_order.index[per_order["nunique"] > 1]
repeated = int((rows.groupby(["invoice_number", "order_id"]).size() > 1).sum())

# Against the order book: each row's money beside the record's, rows without a record, links, what was delivered and never billed.
known = rows[rows["order_id"].isin(book["order_id"])]
theirs = lines[["invoice_number", "position", "currency", *MONEY]]
theirs = theirs[lines["order_id"].isin(book["order_id"])]
ours = known[["invoice_number", "position", "order_id"]].merge(records, on="order_id").drop(columns="order_id")
off_amount = differing(theirs, ours, [*ROW, "currency"])
unknown = len(rows) - len(known)
linked = known.merge(book[["order_id", "merchant_invoice"]], on="order_id")
is_right = linked["merchant_invoice"] == linked["invoice_number"].astype(str)
named_right = set(linked.loc[is_right, "order_id"])
elsewhere = set(linked.loc[~is_right, "order_id"]) - named_right
billed = set(read("select distinct order_id from invoice_order")["order_id"])
delivered = book[book["first_delivered_at"].notna()]
delivered = delivered[delivered["first_delivered_at"].str[:7].isin(months)]
unbilled = delivered[~delivered["order_id"].isin(billed)]
before = datetime.now(timezone.utc) - timedelta(days=int(lag))
late = unbilled[pd.to_datetime(unbilled["first_delivered_at"], utc=True, format="ISO8601") < before]
nowhere = book[book["merchant_invoice"].notna() & ~book["order_id"].isin(billed)]
references = book.loc[book["delivery_state"] != "CANCELLED", "reference_id"].str.strip().str.casefold()
shared = references[references != ""].value_counts()

# The two figures of the bridge: what the invoices state, and each order once by its own record.
stated = headers.groupby("currency")["net_due_to_merchant"].sum()
once = records[records["order_id"].isin(set(known["order_id"]))].merge(
    book[["order_id", "delivery_state", "first_delivered_at"]], on="order_id"
)
due = once["cod"].where(once["first_delivered_at"].notna(), nothing) - once["delivery_fee"]
own = due.groupby(once["currency"]).sum()
at_stake = late.merge(records, on="order_id")
at_stake = at_stake[(at_stake["cod"] != nothing) | (at_stake["delivery_fee"] != nothing)]
on_two = lines[lines["order_id"].isin(twice)]
on_two = on_two[(on_two["cod"] != nothing) | (on_two["delivery_fee"] != nothing)]

print(
    json.dumps(
        {
            "compared": {"invoice-cod-total": len(invoices), "order-amount-differs": len(rows)},
            "found": {
                "invoice-cod-total": off_total["cod"],
                "invoice-fee-total": off_total["delivery_fee"],
                "invoice-net": off_net,
                "invoice-order-count": off_count,
                "invoice-list-detail": off_list,
                "order-repeated": repeated,
                "order-on-two-invoices": int(on_two.groupby("order_id")["currency"].nunique().sum()),
                "paid-state-conflict": off_state,
                "cod-without-delivery": undelivered,
                "fee-on-cancelled": cancelled,
                "order-amount-differs": off_amount,
                "order-unknown": unknown,
                "order-invoice-link": len(elsewhere) + len(nowhere),
                "delivered-not-invoiced": len(at_stake),
                "duplicate-reference": int((shared > 1).sum()),
            },
            "courier": {currency: f"{amount:.2f}" for currency, amount in stated.items()},
            "ours": {currency: f"{amount:.2f}" for currency, amount in own.items()},
        }
    )
)
