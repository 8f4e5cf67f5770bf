"""The published tables and what their columns mean: the source of the data dictionary.

Columns have the names of the API's fields, written with underscores: `node_id` is `nodeId` there.
"""

import pyarrow as pa

from assets.release.bulk.columns import DAY, INSTANT, Column, PublishedTable, members
from serving.contract.changes import FIELDS, KINDS
from serving.contract.downloads import CHANGES, PROVISIONS, REFERENCES
from serving.contract.records import STATUSES

_TEXT, _COUNT, _OFFSET = pa.string(), pa.int32(), pa.int64()
_CHARACTERS = "in characters (Unicode code points) of `text`, the end excluded"

_OUTLINE = members((("label", _TEXT), ("start", _COUNT), ("end", _COUNT), ("uncertain", pa.bool_())))
_NOTE = members((("topic", _TEXT), ("heading", _TEXT), ("text", _TEXT), ("offset", _COUNT)))

_SIDE = members(
    (
        *((name, _TEXT) for name in ("node_id", "citation", "heading", "level", "num", "status")),
        ("breadcrumb", pa.list_(_TEXT)),
        *((name, _TEXT) for name in ("text_sha256", "current_through")),
        *((name, DAY) for name in ("current_through_date", "effective_start", "effective_end")),
    )
)
_WORDS = members(
    (
        *((name, _COUNT) for name in ("before_start", "before_end", "after_start", "after_end")),
        ("removed", _TEXT),
        ("added", _TEXT),
    )
)

PROVISION_TABLE = PublishedTable(
    PROVISIONS,
    "Provisions",
    "Every title, chapter, section and other provision of the code body, in the order of the code, with "
    "those that are repealed or reserved.",
    (
        Column("node_id", _TEXT, "UUID of the provision, the same in every snapshot.", required=True),
        Column(
            "identifier",
            _TEXT,
            "Canonical identifier of the provision, from which its id is made.",
            required=True,
        ),
        Column("code_body", _TEXT, "Key of the code body.", required=True),
        Column("jurisdiction", _TEXT, "Short code of the jurisdiction, such as us, dc.", required=True),
        Column("parent_id", _TEXT, "Id of the provision that holds this one; null at the top."),
        Column("ordinal", _COUNT, "Place in the order of the code, from 0.", required=True),
        Column(
            "level", _TEXT, "The source's own word, such as title, chapter, section, rule.", required=True
        ),
        Column("num", _TEXT, "Number, without a sign or the word of the level."),
        Column("heading", _TEXT, "Heading; empty where the source has none.", required=True),
        Column("citation", _TEXT, "Citation, such as 17 U.S.C. § 107.", required=True),
        Column("citable", pa.bool_(), "Whether it is a section or rule, not a container.", required=True),
        Column("status", _TEXT, f"One of {', '.join(STATUSES)}.", required=True),
        Column("breadcrumb", pa.list_(_TEXT), "Containers from the top down, in words.", required=True),
        Column("text", _TEXT, "The law itself, without notes; empty for a bare container.", required=True),
        Column(
            "outline",
            pa.list_(_OUTLINE),
            "Labelled parts of the text such as (a)(1), parents first: label, start and end "
            f"({_CHARACTERS}), and whether the label is a guess.",
            required=True,
        ),
        Column(
            "notes",
            pa.list_(_NOTE),
            "Editorial matter, which is not law: the source's own topic, heading, text, and for a footnote "
            "the character of the provision's text at which it is called.",
            required=True,
        ),
        Column("source_credit", _TEXT, "The acts that the source credits the provision to."),
        Column("effective_start", DAY, "Day from which it applies, where the source states one."),
        Column("effective_end", DAY, "Day until which it applies, where the source states one."),
        Column("effective_words", _TEXT, "Words by which the source states these days."),
        Column("tags", pa.list_(_TEXT), "Kinds of provision and subject, by rules.", required=True),
        Column("successor_citation", _TEXT, "What the source names as the new place of a dead provision."),
        Column("successor_id", _TEXT, "Id of that provision; null where no single one is held."),
        Column("duplicate_of", pa.list_(_TEXT), "Ids of other live provisions that bear its number."),
        Column("cited_by_count", _COUNT, "Number of other provisions that cite it.", required=True),
        Column("current_through", _TEXT, "The publisher's own words on how current its file is."),
        Column("current_through_date", DAY, "The day in them; null where they name none."),
        Column(
            "stale_since",
            DAY,
            "Day of the first edition from which the provision's title could not be updated.",
        ),
        Column("release_point", _TEXT, "Release of the publisher that the file belongs to."),
        Column("retrieved_at", INSTANT, "Instant at which the file was retrieved.", required=True),
        Column("source_file", _TEXT, "Path of the file within the publication.", required=True),
        Column("byte_start", _OFFSET, "First byte of the provision in that file.", required=True),
        Column("byte_end", _OFFSET, "Byte after its last.", required=True),
        Column("source_sha256", _TEXT, "SHA-256 of that file.", required=True),
        Column("text_sha256", _TEXT, "SHA-256 of `text` in UTF-8.", required=True),
    ),
    key="node_id",
)

REFERENCE_TABLE = PublishedTable(
    REFERENCES,
    "References",
    "Every citation of law in the texts of the code body, by provision and place, with where it leads.",
    (
        Column("node_id", _TEXT, "Id of the provision that cites.", required=True),
        Column("citation", _TEXT, "Its citation.", required=True),
        Column("start", _COUNT, f"First character of the citation, {_CHARACTERS}.", required=True),
        Column("end", _COUNT, "Character after its last.", required=True),
        Column("cited", _TEXT, "What is cited, as a canonical citation.", required=True),
        Column(
            "target_id",
            _TEXT,
            "Id of the provision that is cited, of this code body or of another of the snapshot; of a range, "
            "the first; null where it leads to none.",
        ),
        Column("member_ids", pa.list_(_TEXT), "Ids of the provisions of a range; null for any other."),
        Column(
            "reason",
            _TEXT,
            "Why it leads to none, such as outside_coverage, not_found or ambiguous, or pin_not_found where "
            "the provision stands without the part.",
        ),
        Column("origin", _TEXT, "markup: marked by the publisher; text: read by us.", required=True),
    ),
    refers=("node_id", PROVISIONS),
)

CHANGE_TABLE = PublishedTable(
    CHANGES,
    "Changes",
    "What differs from the snapshot that was in service before this one.",
    (
        Column("kind", _TEXT, f"One of {', '.join(KINDS)}.", required=True),
        Column("fields", pa.list_(_TEXT), f"All that differs, of {', '.join(FIELDS)}.", required=True),
        Column("level", _TEXT, "Level of the provision, or code_body.", required=True),
        Column("code_body", _TEXT, "Key of the code body.", required=True),
        Column("jurisdiction", _TEXT, "Short code of the jurisdiction.", required=True),
        Column("before", _SIDE, "The provision in the earlier snapshot; null where it was not there."),
        Column("after", _SIDE, "The provision in this snapshot; null where it is gone."),
        Column(
            "words",
            pa.list_(_WORDS),
            "Places of the text with the words that were taken out and put in, and their characters in both.",
            required=True,
        ),
        Column("words_left_out", _COUNT, "Number of further places, beyond a bound.", required=True),
        Column(
            "credit_added", pa.list_(_TEXT), "Acts that the source credit names in addition.", required=True
        ),
        Column("successor", _TEXT, "What the publisher names as the new place."),
        Column("node_count", _COUNT, "Provisions of a code body that is new or gone."),
        Column("published_on", DAY, "Day on which this service published the change.", required=True),
        Column("known_on", DAY, "Day on which it had the publisher's file.", required=True),
    ),
)

TABLES = (PROVISION_TABLE, REFERENCE_TABLE, CHANGE_TABLE)
