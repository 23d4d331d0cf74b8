"""The project of the demo, its planted defect, and the brief with the traceback (H-040). Pure."""

from __future__ import annotations

from typing import Any, Mapping

FILE, LINE, NAME = "shop/prices.py", 9, "taxes"  # where the defect is, and the name nobody sets
PROGRAM = "main.py"
_GOOD = "tax"
FILES = {
    PROGRAM: """\
import sys

from shop.cart import total

sys.stdout.write(f'{total([("book", 1200), ("lamp", 4900)], "kr")}\\n')
""",
    "shop/__init__.py": "",
    "shop/cart.py": """\
\"\"\"A cart: pairs of a name and a net price in cents.\"\"\"

from shop.prices import gross


def total(items, country):
    return sum(gross(net, country) for _, net in items)
""",
    FILE: """\
\"\"\"Prices with the tax of a country.\"\"\"

RATES = {"kr": 10, "de": 19}


def gross(net, country):
    \"\"\"Return what a customer pays, in cents.\"\"\"
    tax = net * RATES[country] // 100
    return net + {name}
""",
    "shop/stock.py": """\
\"\"\"How much there is.\"\"\"


def left(stock, sold):
    return {name: count - sold.get(name, 0) for name, count in stock.items()}
""",
    "tools/backup.sh": """\
#!/bin/sh
# Keep a copy of the orders of today.
set -eu
cp -- "orders/$(date +%F).json" backup/
""",
}


def files(*, defect: bool) -> dict[str, str]:
    """Return the files of the project, by path."""
    name = NAME if defect else _GOOD
    return {**FILES, FILE: FILES[FILE].replace("{name}", name)}


def brief(traceback: str) -> str:
    """Return the brief of a customer's complaint, with what the program printed."""
    return f"""\
# The checkout prints no total

Since yesterday nobody can pay. The shop's program ends like this:

```text
{traceback.strip()}
```

## Expected

The total with tax, 6710, is printed.
"""


def found(state: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the row of the planted defect in a final state, if the votes agree on it."""
    place = f"{FILE}:{LINE}"
    for row in state["findings"]:
        told = " ".join([row["claim"], row.get("title", "")])
        if row["class"] == "consensus" and place in row["evidence"] and NAME in told:
            return dict(row)
    return None
