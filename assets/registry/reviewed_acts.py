"""Acts of the reviewed data: what they are called, where they stand, and what shows that they do."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from serving.contract.citations import CitationDataError, PopularName


@dataclass(frozen=True, slots=True)
class ReviewedAct:
    """An act, or a provision that has a name.

    Attributes:
        name: the name with the first of its places.
        called: what else it is called by those who search, and what is no citation of it.
        also: citations of further places, in the order in which a reader wants them.
        holds: words that the heading or text of the first place has, where the law does not give the name.
        alone: names that are ordinary words or those of other things too: they mean the act where nothing
            else is asked for.
        beside: words beside which the names of `alone` mean it in a longer query.
        is_topic: it is no act but a program, form or rule; its name is no citation.
    """

    name: PopularName
    called: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    holds: str | None = None
    alone: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    is_topic: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """All that it is called."""
        return (self.name.name, *self.name.short, *self.called)

    @property
    def places(self) -> tuple[str, ...]:
        """Citations of all places, the one for which the name is known first."""
        return (*((self.name.citation,) if self.name.citation else ()), *self.also)

    def popular_names(self) -> tuple[PopularName, ...]:
        """Return the name once for each place, as the grammar of citations takes it; none of a topic."""
        if self.is_topic:
            return ()
        alone = replace(self.name, short=(), codified=False, whole=False)
        return (self.name, *(replace(alone, citation=place) for place in self.also))

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], *, is_topic: bool = False) -> "ReviewedAct":
        """Return the act, or the topic, that a table of the data file gives.

        Raises:
            CitationDataError: a field is missing, unknown or malformed.
        """
        own = {key: tuple(values[key]) for key in ("called", "also", "alone", "beside") if key in values}
        name = PopularName.from_dict(
            {key: value for key, value in values.items() if key not in ("holds", *own)}
        )
        act = cls(name, holds=values.get("holds"), is_topic=is_topic, **own)
        unknown = sorted(set(act.alone) - set(act.names))
        if unknown:
            raise CitationDataError(f"Popular name {name.name!r}: {unknown} are no names of it.")
        if act.also and name.citation is None:
            raise CitationDataError(f"Popular name {name.name!r}: further places, but no first one.")
        return act


def reviewed_acts(tables: Mapping[str, Any]) -> tuple[ReviewedAct, ...]:
    """Return the acts and topics of a data file: its tables `[[name]]` and `[[topic]]`.

    Raises:
        CitationDataError: a table is malformed.
    """
    acts = [ReviewedAct.from_dict(table) for table in tables["name"]]
    return (*acts, *(ReviewedAct.from_dict(table, is_topic=True) for table in tables.get("topic", ())))
