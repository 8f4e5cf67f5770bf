"""One section of law-xml, or what a container says of itself: from its element to a provision."""

import re
from dataclasses import dataclass, field

from lxml import etree

from assets.errors import MalformedFileError
from assets.ingest.byte_ranges import element_ranges
from assets.ingest.formats import law_xml_status as states
from assets.ingest.formats.law_xml_names import Caption, Naming, Place, plain_number
from assets.ingest.formats.law_xml_notes import NOTE_MARK, Annotations
from assets.ingest.formats.law_xml_text import NO_TEXT, BodyText, BodyWalker
from assets.ingest.formats.law_xml_vocabulary import Vocabulary, local_name, words_of
from assets.ingest.model import Effective, Provision, SourceFile
from assets.ingest.superscripts import written_superscript
from assets.ingest.white_space import collapse
from assets.ingest.xml import line_of

_LONGEST_STATUS = 200
_NOTE_INDENT = 40
_SECTION = frozenset({"section"})
_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*\?>\s*)?(?=<[a-z])")


@dataclass(slots=True)
class _Content:
    """The children of a section or container, sorted by their kind."""

    annotations: Annotations
    number: str = ""
    heading: str = ""
    reasons: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    body: BodyText = NO_TEXT

    def status(self, number: str) -> str:
        return states.status(number=number, heading=self.heading, reasons=self.reasons, lines=self.lines)

    def effective(self) -> Effective:
        return states.effective(self.heading, self.reasons, self.annotations.remarks)


def section_range(file: SourceFile) -> tuple[int, int]:
    """Return [start, end) of the root element of a section's file, in bytes."""
    start = _START.match(file.content)
    end = file.content.rfind(b">") + 1
    if start is not None and file.content.endswith(b"section>", 0, end):  # no comment or instruction ends so
        return start.end(), end
    return element_ranges(file, _SECTION)[0]


def read_section(
    section: etree._Element,
    extent: tuple[int, int],
    *,
    file: SourceFile,
    vocabulary: Vocabulary,
    place: Place,
    naming: Naming,
) -> Provision:
    """Return a section as a provision.

    Raises:
        MalformedFileError: nothing names it.
    """
    content = _content_of(section, vocabulary)
    content.number, content.heading = states.whole_number(content.number, content.heading)
    name = naming.section(content.number, content.heading, file.path, place)
    if name is None:
        raise MalformedFileError(file.path, "has a section without a number", line=line_of(section), column=1)
    return Provision(
        identifier=name.identifier,
        parent=place.identifier,
        level=_section_level(section, vocabulary),
        num=name.num,
        heading=content.heading,
        citation=name.citation,
        citable=name.num is not None,
        file=file.path,
        byte_start=extent[0],
        byte_end=extent[1],
        source_sha256=file.sha256,
        text=content.body.text,
        status=content.status(name.num or ""),
        outline=content.body.outline,
        source_credit=content.annotations.source_credit(),
        notes=tuple(content.annotations.notes),
        references=content.body.references,
        effective=content.effective(),
    )


def _section_level(section: etree._Element, vocabulary: Vocabulary) -> str:
    """Return the source's own word: `regulation`, `rule`; `section` where it writes none or the sign."""
    word = collapse(section.findtext(vocabulary.prefix) or "").lower()
    return word if word.replace(" ", "").isalpha() else "section"


def read_container(
    container: etree._Element,
    extent: tuple[int, int],
    *,
    caption: Caption,
    file: SourceFile,
    vocabulary: Vocabulary,
    place: Place,
    inside: Place,
) -> Provision:
    """Return what a container says of itself as a provision.

    Args:
        container: the element; provisions below it are left to the caller.
        extent: [start, end) of it in the bytes of the file.
        caption: of the container.
        file: where it stands.
        vocabulary: of the file.
        place: where it stands in the hierarchy.
        inside: the place it makes.
    """
    content = _content_of(container, vocabulary)
    return Provision(
        identifier=inside.identifier or inside.path,
        parent=place.identifier,
        level=caption.level,
        num=caption.num,
        heading=caption.heading,
        citation=inside.citation or "",
        citable=False,
        file=file.path,
        byte_start=extent[0],
        byte_end=extent[1],
        source_sha256=file.sha256,
        text=content.body.text,
        status=content.status(content.number),
        outline=content.body.outline,
        source_credit=content.annotations.source_credit(),
        notes=tuple(content.annotations.notes),
        references=content.body.references,
        effective=content.effective(),
    )


def read_subheading(
    subheading: etree._Element,
    extent: tuple[int, int],
    *,
    caption: Caption,
    file: SourceFile,
    vocabulary: Vocabulary,
    place: Place,
    inside: Place,
) -> Provision:
    """Return a subheading as the container of what follows it. Arguments: see `read_container`."""
    annotations = Annotations(vocabulary)
    for annotation in subheading.iterfind(vocabulary.annotation):
        annotations.annotation(annotation)
    return Provision(
        identifier=inside.identifier or inside.path,
        parent=place.identifier,
        level=caption.level,
        num=caption.num,
        heading=caption.heading,
        citation=inside.citation or "",
        citable=False,
        file=file.path,
        byte_start=extent[0],
        byte_end=extent[1],
        source_sha256=file.sha256,
        status=states.status(number="", heading=caption.heading, reasons=(), lines=()),
        source_credit=annotations.source_credit(),
        notes=tuple(annotations.notes),
    )


def container_status(container: etree._Element, vocabulary: Vocabulary) -> str:
    """Return the status of a container by what it says of itself."""
    content = _content_of(container, vocabulary)
    return content.status(content.number)


def caption_of(container: etree._Element, vocabulary: Vocabulary) -> Caption:
    """Return level, number and heading of a container."""
    words = collapse(container.findtext(vocabulary.prefix) or "")
    num = plain_number(own_text(container.find(vocabulary.num))).rstrip(".:")
    heading = own_text(container.find(vocabulary.heading))
    return Caption(words.lower() or "container", num or None, heading, container.get("name") or "")


def own_text(element: etree._Element | None) -> str:
    """Return the text of a number or heading, white space folded, without annotations and footnote marks."""
    if element is None:
        return ""
    if len(element) == 0:
        return collapse(element.text or "")
    runs = [element.text or ""]
    for child in element:
        name = local_name(child)
        if name == "br":
            runs.append(" ")
        elif name == "sup":
            runs.append(written_superscript(child, own_text(child), runs))
        elif name not in ("annotation", "fn"):
            runs.append(own_text(child))
        runs.append(child.tail or "")
    return collapse("".join(runs))


def _content_of(element: etree._Element, vocabulary: Vocabulary) -> _Content:
    content = _Content(Annotations(vocabulary))
    captions = (vocabulary.num, vocabulary.heading, vocabulary.reason, vocabulary.prefix)
    body = []
    for child in element:
        tag = child.tag
        if tag == vocabulary.text:
            if not _is_beside_text(child, content):
                body.append(child)
        elif tag in captions:
            _caption_part(child, content, vocabulary)
        elif tag == vocabulary.annotations:
            content.annotations.group(child)
        elif tag == vocabulary.annotation:
            content.annotations.annotation(child)
        else:
            body.append(child)
    if body:
        content.body = _body_of(body, vocabulary, in_section=element.tag == vocabulary.section)
        for image in content.body.images:
            content.annotations.image(image)
    for reason in (*content.reasons, *content.lines):
        content.annotations.reason(reason)
    _take_footnotes(element, content, vocabulary)
    return content


def _take_footnotes(element: etree._Element, content: _Content, vocabulary: Vocabulary) -> None:
    """Take in footnotes: those of a section stand beside the part that calls them, or below all."""
    is_section = element.tag == vocabulary.section
    for group in element.iter(vocabulary.footnotes) if is_section else element.iterfind(vocabulary.footnotes):
        content.annotations.footnotes(group)


def _body_of(blocks: list[etree._Element], vocabulary: Vocabulary, *, in_section: bool) -> BodyText:
    walker = BodyWalker(vocabulary)
    provisions = (vocabulary.container, vocabulary.section, vocabulary.subheading)
    for block in blocks:
        if in_section or block.tag not in provisions:
            walker.block(block)
    return walker.finish()


def _caption_part(child: etree._Element, content: _Content, vocabulary: Vocabulary) -> None:
    text = own_text(child)
    if child.tag == vocabulary.num:
        content.number = text
    elif child.tag == vocabulary.heading:
        content.heading = text
    elif child.tag == vocabulary.reason and text:
        content.reasons.append(text)
    if len(child):
        for inner in child.iterfind(vocabulary.annotation):
            content.annotations.annotation(inner)


def _is_beside_text(text: etree._Element, content: _Content) -> bool:
    """Take in a block that is no law: an editors' note, or the line that says why there is no text."""
    words = text.text
    if words and len(words) > _LONGEST_STATUS and NOTE_MARK not in words[:_NOTE_INDENT]:
        return False
    folded = words_of(text)
    if folded.startswith(NOTE_MARK):
        content.annotations.editors_note(folded)
        return True
    if states.is_status_line(folded):
        content.lines.append(folded)
        return True
    return False
