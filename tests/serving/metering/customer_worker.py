"""A process that signs in or up as fast as it can: `customer_worker.py URL sign_in|sign_up EMAIL PASSWORD TIMES`.

Prints `ready`, waits for a line on its standard input, then prints one line for each outcome. `EMAIL` may hold
`{}` for the number of the try.
"""

import sys

from serving.contract.errors import LawError
from serving.metering.customers import Customers
from serving.metering.database import Database

HERE = "192.0.2.1"


def main(url: str, deed: str, email: str, password: str, times: int) -> None:
    database = Database(url)
    customers = Customers(database)
    do = {"sign_in": customers.sign_in, "sign_up": customers.sign_up}[deed]
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(times):
        try:
            do(email.format(number), password, address=HERE)
            print("Account", flush=True)
        except LawError as error:
            print(error.code, flush=True)
    database.close()


if __name__ == "__main__":
    main(*sys.argv[1:5], times=int(sys.argv[5]))
