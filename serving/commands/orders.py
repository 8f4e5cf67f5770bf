"""`lawctl orders`: open formation orders and move them through their stages."""

import argparse
from typing import Any

from serving.accounts.orders import ENTITY_TYPES, STAGES, Orders
from serving.commands.accounts import ACCOUNT_HELP
from serving.commands.output import exact, moment, print_json, print_list, print_text, remark
from serving.commands.stores import find_account, open_database, wanted_account
from serving.commands.verbs import Parsers, add_noun, add_store_verb
from serving.metering.records import Order


def add(commands: Parsers) -> None:
    """Add the verbs."""
    verbs = add_noun(commands, "orders", "open formation orders and move them through their stages")
    create = add_store_verb(
        verbs,
        "create",
        _create,
        "open an order, and print its id and its tracking token, once",
        more="The token is stored as a hash and can never be shown again.",
    )
    create.add_argument("account", metavar="ACCOUNT", help=ACCOUNT_HELP)
    create.add_argument("--entity-name", required=True, metavar="NAME", help="name of what is to be formed")
    create.add_argument("--entity-type", required=True, choices=ENTITY_TYPES, help="what is to be formed")
    create.add_argument(
        "--jurisdiction", required=True, metavar="CODE", help="short code of where it is filed, such as dc"
    )
    advance = add_store_verb(
        verbs,
        "advance",
        _advance,
        "move an order to its next stage",
        more=f"The stages are {', '.join(STAGES)}. With `filed` the account's allotment rises for good.",
    )
    _add_order(advance)
    advance.add_argument(
        "state", nargs="?", choices=STAGES[1:], metavar="STATE", help="the next stage, to be sure which it is"
    )
    _add_order(add_store_verb(verbs, "cancel", _cancel, "cancel an order that is not at `filing` yet"))
    _add_order(add_store_verb(verbs, "show", _show, "show an order with the times of its stages"))
    listing = add_store_verb(verbs, "list", _list, "list the orders, the last changed first")
    listing.add_argument("--account", metavar="ACCOUNT", help=f"only of one account: {ACCOUNT_HELP}")


def _add_order(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("order", metavar="ORDER", type=str.lower, help="id of the order")


def _create(options: argparse.Namespace) -> int:
    with open_database(options) as database:
        account = find_account(database, options.account)
        opened = Orders(database).create(
            account.account_id,
            entity_name=options.entity_name,
            entity_type=options.entity_type,
            filing_jurisdiction=options.jurisdiction,
        )
    if options.json:
        print_json({**_as_json(opened.order), "token": opened.token})
        return 0
    print_text(f"order  {opened.order.order_id}")
    print_text(f"token  {opened.token}")
    remark("Give both to the customer now: the token is stored as a hash and is never shown again.")
    return 0


def _advance(options: argparse.Namespace) -> int:
    with open_database(options) as database:
        return _print(Orders(database).advance(options.order, options.state), options)


def _cancel(options: argparse.Namespace) -> int:
    with open_database(options) as database:
        return _print(Orders(database).cancel(options.order), options)


def _show(options: argparse.Namespace) -> int:
    with open_database(options) as database:
        return _print(Orders(database).get(options.order), options)


def _list(options: argparse.Namespace) -> int:
    with open_database(options) as database:
        orders = Orders(database).list(wanted_account(database, options))
    print_list(
        orders,
        ("ORDER", "ACCOUNT", "STATE", "SINCE", "TYPE", "FILED IN", "NAME"),
        lambda order: (
            *(order.order_id, str(order.account_id), order.state, moment(order.updated_at)),
            *(order.entity_type, order.filing_jurisdiction, order.entity_name),
        ),
        _as_json,
        as_json=options.json,
    )
    return 0


def _print(order: Order, options: argparse.Namespace) -> int:
    if options.json:
        print_json(_as_json(order))
        return 0
    print_text(f"order    {order.order_id}")
    print_text(f"account  {order.account_id}")
    print_text(f"entity   {order.entity_name} ({order.entity_type}, {order.filing_jurisdiction})")
    if order.naics is not None:
        print_text(f"naics    {order.naics}")
    for stage in order.stages:
        print_text(f"  {moment(stage.at)}  {stage.state}")
    return 0


def _as_json(order: Order) -> dict[str, Any]:
    return {
        "orderId": order.order_id,
        "account": order.account_id,
        "state": order.state,
        "entityName": order.entity_name,
        "entityType": order.entity_type,
        "filingJurisdiction": order.filing_jurisdiction,
        "naics": order.naics,
        "stages": [{"state": stage.state, "at": exact(stage.at)} for stage in order.stages],
        "updatedAt": exact(order.updated_at),
    }
