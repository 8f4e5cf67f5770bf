"""`lawctl watches`: match watches with the changes in service, and deliver what was found."""

import argparse
import time

from serving.commands.output import counted, exact, moment, print_json, print_list, print_text
from serving.commands.stores import open_database, wanted_account
from serving.commands.verbs import Parsers, add_noun, add_snapshots, add_store_verb, settings_of, whole_number
from serving.contract.errors import LawError, NoSnapshotError
from serving.metering.clock import DAY
from serving.metering.database import Database
from serving.services.retained_laws import close_removed
from serving.services.snapshots import SnapshotHolder
from serving.settings.settings import Settings
from serving.watches.deliveries import NOTHING, Delivered, Deliveries
from serving.watches.matching import Matcher
from serving.watches.watches import Watch, Watches


def add(commands: Parsers) -> None:
    """Add the verbs."""
    verbs = add_noun(commands, "watches", "match watches with changes of the law, and deliver what was found")
    deliver = add_store_verb(
        verbs,
        "deliver",
        _deliver,
        "match watches with the snapshot in service, and make the deliveries that are due",
        more="Several may run at once, and one that was killed is made up for by the next: no event is lost, "
        "and none is made twice.",
    )
    deliver.add_argument(
        "--every", type=whole_number, metavar="SECONDS", help="go on, with so long a pause (default: once)"
    )
    add_snapshots(deliver)
    listing = add_store_verb(
        verbs, "list", _list, "list the watches of an account, or of all, the newest first"
    )
    listing.add_argument("account", metavar="ACCOUNT", nargs="?", help="its id or e-mail address")
    replay = add_store_verb(
        verbs, "replay", _replay, "have the events of a watch delivered again, by their ids"
    )
    replay.add_argument("watch_id", metavar="WATCH_ID", help="id of the watch, as `list` shows it")
    replay.add_argument(
        "--days", type=whole_number, default=1, metavar="N", help="how far back they go (default: 1)"
    )


def _deliver(options: argparse.Namespace) -> int:
    settings = settings_of(options)
    snapshots = SnapshotHolder(settings.snapshots, pinned=1)
    try:
        with open_database(options) as database:
            while True:
                matched, delivered = _pass(database, snapshots, settings)
                if options.every is None or matched or delivered != NOTHING:
                    _tell(matched, delivered, as_json=options.json)
                if options.every is None:
                    return 0
                time.sleep(options.every)
    finally:
        snapshots.close()


def _pass(database: Database, snapshots: SnapshotHolder, settings: Settings) -> tuple[int, Delivered]:
    """Match and deliver once, and return the number of events and of deliveries.

    Raises:
        LawError: the matching failed; what was due before was delivered.
    """
    close_removed()
    deliveries = Deliveries(database, local=settings.webhook_hosts == "local")
    try:
        matched = Matcher(database, snapshots, public_url=settings.public_url).match()
    except NoSnapshotError:
        matched = 0  # nothing is in service yet
    except LawError:
        deliveries.deliver()
        raise
    finally:
        # Opened for searches that are watched, and not needed until the next snapshot comes.
        snapshots.close()
    return matched, deliveries.deliver()


def _tell(matched: int, delivered: Delivered, *, as_json: bool) -> None:
    if as_json:
        print_json({"matched": matched, "delivered": delivered.arrived, "failed": delivered.failed})
        return
    arrived = counted(delivered.arrived, "delivery", "deliveries")
    print_text(f"{counted(matched, 'event')} matched; {arrived} arrived, {delivered.failed:,} did not.")


def _list(options: argparse.Namespace) -> int:
    with open_database(options) as database:
        watches = Watches(database).list(wanted_account(database, options))
    print_list(
        watches,
        ("ID", "ACCOUNT", "SUBJECT", "DELIVERED TO", "SEEN", "CREATED", "REFUSED"),
        lambda watch: (
            *(
                watch.watch_id,
                str(watch.account_id),
                _subject(watch),
                watch.url or "its feed",
                watch.seen,
            ),
            *(moment(watch.created_at), moment(watch.refused_at)),
        ),
        _as_json,
        as_json=options.json,
    )
    return 0


def _replay(options: argparse.Namespace) -> int:
    with open_database(options) as database:
        events = Watches(database).replay(options.watch_id, back=options.days * DAY)
    if options.json:
        print_json({"events": events})
    else:
        print_text(
            f"{counted(events, 'event')} will be delivered again by the next `lawctl watches deliver`."
        )
    return 0


def _subject(watch: Watch) -> str:
    return " ".join(f"{name} {value}" for name, value in watch.subject.described().items())


def _as_json(watch: Watch) -> dict[str, object]:
    return {
        "id": watch.watch_id,
        "account": watch.account_id,
        **watch.subject.described(),
        "url": watch.url,
        "seen": watch.seen,
        "createdAt": exact(watch.created_at),
        "refusedAt": exact(watch.refused_at),
    }
