"""Lists whose members are all parts of one provision, such as `17 U.S.C. § 504(b) and (c)`."""

from dataclasses import dataclass

from serving.services.citations.resolution import Outcome, PinCite, Provision, Resolution


@dataclass(frozen=True, slots=True)
class ListedParts:
    """Parts of one provision, in the order in which they are cited."""

    provision: Provision
    pins: tuple[PinCite, ...]


def listed_parts(found: Resolution) -> ListedParts | None:
    """Return the parts of one provision that a list cites; None of other lists, and of what is none.

    A list of which a part is missing or dead, or a member is a note, is none: its members are told apart by
    their outcomes.
    """
    members = found.members
    if not members or found.outcome is not Outcome.FOUND or len(members) < found.member_count:
        return None
    provisions = {one.provision for one in members}
    pins = tuple(one.pin for one in members if one.pin is not None and one.reason is None)
    if len(provisions) > 1 or len(pins) < len(members):
        return None
    (provision,) = provisions
    return None if provision is None else ListedParts(provision, pins)
