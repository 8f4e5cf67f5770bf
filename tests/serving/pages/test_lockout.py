"""Wrong passwords from elsewhere: they slow whoever sends them, and shut the owner out of nothing."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.serving.pages.conftest import run_server
from tests.serving.pages.people import PASSWORD, Person, hidden_fields
from tests.serving.servers import Server
from tests.serving.stores import ENGINES, new_databases

pytestmark = pytest.mark.e2e
OTHER = "a wholly different secret"


@pytest.fixture(scope="module", params=ENGINES)
def server(
    request: pytest.FixtureRequest, snapshots_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A server of two workers, over either engine."""
    folder = tmp_path_factory.mktemp("lockout")
    with new_databases(request, request.param, folder) as make:
        running = run_server(folder, snapshots_folder, make())
        yield next(running)
        running.close()


def sign_in(person: Person, email: str, password: str) -> int:
    return person.submit("/settings/sign-in", email=email, password=password).status_code


def attack(
    visit: Callable[..., Person], server: Server, email: str, *, networks: int, times: int
) -> list[int]:
    """Guess from some networks, each with a browser that was never seen."""
    answers = []
    for number in range(networks):
        guesser = visit(server, address=f"198.{number // 250 + 20}.{number % 250}.9")
        form = hidden_fields(guesser.get().text, "/settings/sign-in") | {"email": email}
        for guess in range(times):
            answer = guesser.http.post("/settings/sign-in", data={**form, "password": f"wrong guess {guess}"})
            answers.append(answer.status_code)
    return answers


def test_ten_guesses_from_elsewhere_shut_nobody_out(server, customer, visit):
    assert attack(visit, server, customer.email, networks=1, times=12) == [401] * 10 + [429] * 2
    changed = customer.submit(
        "/settings/password", page="/settings/password", current=PASSWORD, password=OTHER
    )
    assert changed.status_code == 303, "a live session changes its password"
    assert sign_in(visit(server), customer.email, OTHER) == 303, "a new browser elsewhere signs in"


def test_a_browser_that_signed_in_before_signs_in_during_an_attack_from_everywhere(server, customer, visit):
    customer.submit("/settings/sign-out")
    answers = attack(visit, server, customer.email, networks=24, times=1)
    assert answers == [401] * 20 + [429] * 4
    assert sign_in(customer, customer.email, PASSWORD) == 303


def test_a_new_browser_is_told_when_and_is_listened_to_then(server, customer, visit):
    assert attack(visit, server, customer.email, networks=21, times=1)[-1] == 429
    owner = visit(server)
    told = owner.submit("/settings/sign-in", email=customer.email, password=PASSWORD)
    wait = int(told.headers["retry-after"])
    assert (told.status_code, 0 < wait <= 10) == (429, True)
    assert "Too many attempts; try again in" in told.text
    time.sleep(wait)
    for _ in range(3):
        attack(visit, server, customer.email, networks=2, times=1)
    assert sign_in(owner, customer.email, PASSWORD) == 303


def test_an_attack_looks_the_same_without_an_account(server, customer, visit):
    known = attack(visit, server, customer.email, networks=22, times=1)
    assert attack(visit, server, f"no-{customer.email}", networks=22, times=1) == known


def test_a_session_guesses_a_password_few_times(server, customer, visit):
    form = hidden_fields(customer.get("/settings/password").text, "/settings/password")
    answers = [
        customer.http.post(
            "/settings/password", data={**form, "current": f"wrong guess {guess}", "password": OTHER}
        )
        for guess in range(8)
    ]
    assert [answer.status_code for answer in answers] == [422] * 5 + [429] * 3
    assert 0 < int(answers[-1].headers["retry-after"]) <= 900
    assert "try again in 15 minutes" in answers[-1].text
    assert sign_in(visit(server), customer.email, PASSWORD) == 303, "its owner signs in all the same"


def test_a_browser_is_known_to_several_accounts(server, visit):
    people = [visit(server, address=f"203.9.{number}.1").sign_up() for number in range(5)]
    family = visit(server)
    for person in people:
        assert sign_in(family, person.email, PASSWORD) == 303
        family.submit("/settings/sign-out")
    tokens = family.http.cookies["lr_device"].split(".")
    assert len(tokens) == len(set(tokens)) == 4
    attack(visit, server, people[1].email, networks=21, times=1)
    assert sign_in(family, people[1].email, PASSWORD) == 303
    assert family.http.cookies["lr_device"].split(".")[0] == tokens[-1]


def test_a_new_password_makes_every_browser_a_stranger_again(server, customer, visit):
    thief = visit(server)
    assert sign_in(thief, customer.email, PASSWORD) == 303
    thief.submit("/settings/sign-out")
    changed = customer.submit(
        "/settings/password", page="/settings/password", current=PASSWORD, password=OTHER
    )
    assert changed.status_code == 303
    attack(visit, server, customer.email, networks=21, times=1)
    assert sign_in(thief, customer.email, OTHER) == 429
    customer.submit("/settings/sign-out")
    assert sign_in(customer, customer.email, OTHER) == 303
