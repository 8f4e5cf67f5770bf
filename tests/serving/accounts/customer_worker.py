"""A process that does one thing as fast as it can: `customer_worker.py URL DEED ARGUMENT ARGUMENT TIMES`.

The deeds: `sign_in` and `sign_up` with an address and a password, `create_key` and `open_order` with an account's
id and what the caller knows of it, empty for nothing. Prints `ready`, waits for a line on its standard input,
then prints one line for each outcome. The first argument may hold `{}` for the number of the try.
"""

import sys
from collections.abc import Callable

from serving.accounts.accounts import Accounts
from serving.accounts.customers import Customers
from serving.accounts.orders import Orders
from serving.contract.errors import LawError
from serving.metering.database import Database

HERE = "192.0.2.1"


def main(url: str, deed: str, first: str, second: str, times: int) -> None:
    database = Database(url)
    customers, accounts, orders = Customers(database), Accounts(database), Orders(database)
    after = int(second) if second.isdecimal() else None
    deeds: dict[str, Callable[[str], object]] = {
        "sign_in": lambda email: customers.sign_in(email, second, address=HERE),
        "sign_up": lambda email: customers.sign_up(email, second, address=HERE),
        "create_key": lambda account: accounts.create_key(
            int(account), name="k", scopes=["node"], after=after
        ),
        "open_order": lambda account: orders.create(
            int(account), entity_name="A", entity_type="llc", filing_jurisdiction="dc", after=after
        ),
    }
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(times):
        try:
            deeds[deed](first.format(number))
            print("done", flush=True)
        except LawError as error:
            print(error.code, flush=True)
    database.close()


if __name__ == "__main__":
    url, deed, first, second, times = sys.argv[1:]
    main(url, deed, first, second, int(times))
