"""What an order accepts, and that an order that is not there looks like one whose token is wrong."""

import pytest
import sqlalchemy as sa

from serving.accounts.orders import MAX_UNPAID, STAGES
from serving.contract.errors import NotFoundError, SupersededError, ValidationError
from tests.serving.accounts.simultaneous import at_once, of_processes

NOBODY = "00000000-0000-4000-8000-000000000000"
GIVEN = {"entity_name": "Ada LLC", "entity_type": "llc", "filing_jurisdiction": "dc"}


@pytest.fixture
def account(meter):
    return meter.accounts.create().account_id


@pytest.fixture
def statements(meter):
    """What the database was asked, parameters left out."""
    asked = []
    sa.event.listen(
        meter.database._engine,
        "before_cursor_execute",
        lambda _connection, _cursor, statement, *_rest: asked.append(statement),
    )
    return asked


def test_an_unknown_order_and_a_wrong_token_ask_the_same(meter, account, statements):
    order = meter.orders.create(account, **GIVEN)
    statements.clear()
    assert meter.orders.find(order.order.order_id, "wrong") is None
    wrong = list(statements)
    statements.clear()
    assert meter.orders.find(NOBODY, order.token) is None
    assert statements == wrong
    assert len([statement for statement in wrong if "orders" in statement]) == 1
    statements.clear()
    assert meter.orders.find(order.order.order_id, order.token) == order.order
    assert len(statements) > len(wrong)


@pytest.mark.parametrize("token", ["", "0" * 64, "no order", "§"])
def test_no_token_opens_an_unknown_order(meter, account, token):
    order = meter.orders.create(account, **GIVEN).order
    assert meter.orders.find(NOBODY, token) is None
    assert meter.orders.find(order.order_id, token) is None


@pytest.mark.parametrize(
    "name", ["", "  \n ", "a" * 201, "Ada\x00LLC", "Ada\x1b[31m", "Ada\u202eLLC", "\ud800"]
)
def test_a_name_that_is_none_is_refused(meter, account, name):
    with pytest.raises(ValidationError, match="1 to 200 characters") as refused:
        meter.orders.create(account, **{**GIVEN, "entity_name": name})
    assert refused.value.parameter == "entityName"
    assert not meter.orders.list()


def test_a_name_is_kept_with_its_white_space_folded(meter, account):
    order = meter.orders.create(account, **{**GIVEN, "entity_name": " Zoë’s\u00a0 Café,\tLLC "}).order
    assert order.entity_name == "Zoë’s Café, LLC"


@pytest.mark.parametrize("code", ["", "d", "district", "d c", "dc-", "dc;", "dc-ö", "d" * 300])
def test_a_jurisdiction_that_is_no_short_code_is_refused(meter, account, code):
    with pytest.raises(ValidationError, match="short code") as refused:
        meter.orders.create(account, **{**GIVEN, "filing_jurisdiction": code})
    assert refused.value.parameter == "filingJurisdiction"


@pytest.mark.parametrize(("given", "kept"), [("DC", "dc"), ("il-chicago", "il-chicago"), (" Va ", "va")])
def test_a_jurisdiction_is_kept_in_lower_case(meter, account, given, kept):
    order = meter.orders.create(account, **{**GIVEN, "filing_jurisdiction": given}).order
    assert order.filing_jurisdiction == kept


def test_an_order_moves_to_its_next_stage_unasked(meter, account):
    order = meter.orders.create(account, **GIVEN).order
    assert [meter.orders.advance(order.order_id).state for _ in STAGES[1:]] == list(STAGES[1:])
    with pytest.raises(ValidationError, match="goes no further"):
        meter.orders.advance(order.order_id)
    assert meter.orders.get(order.order_id).state == "completed"


def test_a_canceled_order_stays_so(meter, account):
    order = meter.orders.create(account, **GIVEN).order
    meter.orders.cancel(order.order_id)
    with pytest.raises(ValidationError, match="goes no further"):
        meter.orders.advance(order.order_id)
    assert [stage.state for stage in meter.orders.get(order.order_id).stages] == ["details", "canceled"]


def test_an_order_that_is_not_there_is_named(meter):
    with pytest.raises(NotFoundError, match=NOBODY):
        meter.orders.get(NOBODY)


def test_the_business_is_kept_where_it_is_known(meter, account):
    named = meter.orders.create(account, **GIVEN, naics="722330").order
    assert meter.orders.get(named.order_id).naics == "722330"
    assert meter.orders.create(account, **GIVEN).order.naics is None


@pytest.mark.parametrize("code", ["", "7223", "7223300", "72233a", "٧٢٢٣٣٠"])
def test_a_business_that_is_no_code_is_refused(meter, account, code):
    with pytest.raises(ValidationError, match="six digits") as refused:
        meter.orders.create(account, **GIVEN, naics=code)
    assert refused.value.parameter == "naics"


def test_founding_slots_are_taken_from_setup_on(meter, account):
    order = meter.orders.create(account, **GIVEN).order
    taken = []
    for state in STAGES[1:]:
        meter.orders.advance(order.order_id, state)
        taken.append(meter.orders.count_founding())
    assert taken == [0, 1, 1, 1, 1, 1]


@pytest.mark.parametrize(("after", "opened"), [("0", 1), ("", MAX_UNPAID)])
def test_of_eight_processes_as_many_orders_are_opened_as_may_be(live_meter, after, opened):
    account = live_meter.accounts.create().account_id
    outcomes = of_processes(live_meter.url, 8, "open_order", str(account), after, "2")
    assert outcomes == {"done": opened, "superseded" if after else "validation_error": 16 - opened}
    assert live_meter.orders.count(account) == opened


def test_an_order_that_follows_others_is_opened_once(meter, account):
    meter.orders.create(account, **GIVEN, after=0)
    for outdated in (0, 2):
        with pytest.raises(SupersededError):
            meter.orders.create(account, **GIVEN, after=outdated)
    meter.orders.create(account, **GIVEN, after=1)
    assert meter.orders.count(account) == 2


def test_what_was_paid_or_canceled_leaves_room_for_another(meter, account):
    opened = [meter.orders.create(account, **GIVEN).order.order_id for _ in range(MAX_UNPAID)]
    with pytest.raises(ValidationError, match="have one of them canceled first") as refused:
        meter.orders.create(account, **GIVEN)
    assert refused.value.parameter == "orders"
    meter.orders.cancel(opened[0])
    meter.orders.advance(opened[1])
    meter.orders.create(account, **GIVEN)
    meter.orders.advance(opened[1], "setup")
    meter.orders.create(account, **GIVEN)
    with pytest.raises(ValidationError):
        meter.orders.create(account, **GIVEN)


def test_a_stage_that_many_ask_for_at_once_is_reached_once(meter, account):
    order = meter.orders.create(account, **GIVEN).order
    outcomes = at_once(8, lambda number: meter.orders.advance(order.order_id, "payment"))
    assert outcomes == {"Order": 1, "validation_error": 7}
    for state in STAGES[2 : STAGES.index("filed")]:
        meter.orders.advance(order.order_id, state)
    outcomes = at_once(8, lambda number: meter.orders.advance(order.order_id, "filed"))
    assert outcomes == {"Order": 1, "validation_error": 7}
    assert meter.accounts.get(account).allotment == 5000
    assert [stage.state for stage in meter.orders.get(order.order_id).stages] == list(STAGES[:6])
    assert not meter.credits.check_ledger()
