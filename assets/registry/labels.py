"""Labels of the parts of a section: the styles there are, and which of them a code body uses."""

from dataclasses import dataclass

STYLES = ("(a)", "(1)", "(A)", "(i)", "(I)", "(aa)", "(AA)", "a.", "1.", "A.", "i.", "I.")
"""Every style, named by its first label."""


@dataclass(frozen=True, slots=True)
class LabelScheme:
    """A code body's labels of the parts of a section: styles from the outermost level in.

    A style is named by its first label and may occur twice, as `(1)` and `(i)` do in the C.F.R.

    Raises:
        ValueError: there is no style, or an unknown one.
    """

    levels: tuple[str, ...]

    def __post_init__(self) -> None:
        unknown = [level for level in self.levels if level not in STYLES]
        if unknown or not self.levels:
            raise ValueError(f"Unknown styles of labels {unknown}; known: {', '.join(STYLES)}.")
