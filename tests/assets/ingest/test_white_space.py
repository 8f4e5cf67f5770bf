"""White space folds the same by the quick way and by the plain one."""

from hypothesis import given
from hypothesis import strategies as st

from assets.ingest.white_space import fold


@given(st.text(alphabet=st.one_of(st.sampled_from(" \t\n\r\xa0\u2003\u2009\u3000\x85é§a("), st.characters())))
def test_folding_is_splitting_and_joining(text: str) -> None:
    assert fold(text) == " ".join(text.split())
