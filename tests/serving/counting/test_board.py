"""Rows of counters add up, outlive their workers, and are told apart by their owners."""

from serving.counting.board import FIRST, Board


def test_rows_add_up_and_one_that_changes_hands_counts_on():
    board = Board(2)
    first, second = board.take(), board.take()
    assert first is not None
    assert second is not None
    assert board.take() is None
    for number, count in ((first, 3), (second, 4)):
        board.own(number, layout=7, owner=100 + number)[FIRST] += count
    assert board.sums(7)[FIRST] == 7
    assert sorted(board.owners()) == [100, 101]
    board.give_back(first)
    assert (board.sums(7)[FIRST], board.owners()) == (7, [101])
    assert board.sums(7, of_owned=True)[FIRST] == 4
    assert board.take() == first
    board.own(first, layout=7, owner=200)[FIRST] += 1
    assert board.sums(7)[FIRST] == 8
    board.own(first, layout=8, owner=201)
    assert board.sums(7)[FIRST] == 4, "what another version of the server counted means something else"


def test_a_worker_that_died_is_told_from_one_that_left():
    board = Board(2)
    died, left = board.take(), board.take()
    assert died is not None
    assert left is not None
    for number in (died, left):
        board.own(number, layout=7, owner=100)
    board.leave(left)
    assert [board.is_owned(number) for number in (died, left)] == [True, False]
