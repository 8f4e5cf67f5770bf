"""Records of batches that wait to be posted, and marks in place of windows.

From here on a balance in the tables may be behind by the batches that wait. An older server must not settle
beside a newer one: it finds no table of windows, and answers that the store is unavailable.
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

_CREDITS = ("allotment", "allotment_month", "wallet", "entry_no")
_TERMS = ("tier", "allotment_limit")
_OF_KEYS = ("key_id", "account_id", "key_hash", "expires_at", "revoked_at")
REFUSAL = "charges wait to be posted to the accounts: change credits with lawctl, or post first"


def _differ(columns: tuple[str, ...], operator: str) -> str:
    return "(" + " OR ".join(f"NEW.{name} {operator} OLD.{name}" for name in columns) + ")"


def _noted(moved: str) -> str:
    return (
        "INSERT INTO batches (batch_no, size, changes, entries) "  # noqa: S608 (of names that stand here)
        "SELECT coalesce(max(batch_no), 0) + 1, 0, "
        f"'[[],[],[' || NEW.account_id || ',' || {moved} || ']]', '[]' FROM batches;"
    )


_WAITING = (
    "EXISTS (SELECT 1 FROM batches WHERE size > 0 "
    "AND batch_no > (SELECT coalesce(max(credits), 0) FROM postings))"
)

_SQLITE = (
    f"""
CREATE TRIGGER accounts_noted AFTER UPDATE OF {", ".join(_TERMS + _CREDITS)} ON accounts
WHEN NEW.posted = OLD.posted AND {_differ(_TERMS + _CREDITS, "IS NOT")}
BEGIN
  SELECT RAISE(ABORT, '{REFUSAL}') WHERE {_differ(_CREDITS, "IS NOT")} AND {_WAITING};
  {_noted(_differ(_CREDITS, "IS NOT"))}
END
""",
    f"""
CREATE TRIGGER keys_noted AFTER UPDATE OF {", ".join(_OF_KEYS)} ON keys
WHEN {_differ(_OF_KEYS, "IS NOT")}
BEGIN
  {_noted("0")}
END
""",
)

_LOCK = "PERFORM pg_advisory_xact_lock(1819437411);"
_POSTGRES = (
    f"""
CREATE FUNCTION note_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  {_LOCK}
  IF {_differ(_CREDITS, "IS DISTINCT FROM")} AND {_WAITING} THEN
    RAISE EXCEPTION '{REFUSAL}';
  END IF;
  {_noted(_differ(_CREDITS, "IS DISTINCT FROM") + "::int")}
  RETURN NULL;
END $$
""",
    f"""
CREATE TRIGGER accounts_noted AFTER UPDATE OF {", ".join(_TERMS + _CREDITS)} ON accounts FOR EACH ROW
WHEN (NEW.posted = OLD.posted AND {_differ(_TERMS + _CREDITS, "IS DISTINCT FROM")})
EXECUTE FUNCTION note_account()
""",
    f"""
CREATE FUNCTION note_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  {_LOCK}
  {_noted("0")}
  RETURN NULL;
END $$
""",
    f"""
CREATE TRIGGER keys_noted AFTER UPDATE OF {", ".join(_OF_KEYS)} ON keys FOR EACH ROW
WHEN ({_differ(_OF_KEYS, "IS DISTINCT FROM")})
EXECUTE FUNCTION note_key()
""",
    """
CREATE FUNCTION windows_of_before() RETURNS TABLE (key_id bigint, at bigint, ordinal bigint)
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a newer version of this software has brought the store of accounts up to date'
  USING ERRCODE = '57P03';
END $$
""",
    "CREATE VIEW windows AS SELECT key_id, at, ordinal FROM windows_of_before()",
)


def upgrade() -> None:
    """Create the tables, move the marks, and have changes of accounts and keys noted for who follows them."""
    op.create_table(
        "batches",
        sa.Column("batch_no", WHOLE, autoincrement=False, nullable=False),
        sa.Column("size", WHOLE, nullable=False),
        sa.Column("changes", sa.Text(), nullable=False),
        sa.Column("entries", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("batch_no", name=op.f("pk_batches")),
        sqlite_strict=True,
    )
    op.create_table(
        "postings",
        sa.Column("posting_id", WHOLE, autoincrement=False, nullable=False),
        sa.Column("credits", WHOLE, nullable=False),
        sa.Column("marks", WHOLE, nullable=False),
        sa.PrimaryKeyConstraint("posting_id", name=op.f("pk_postings")),
        sqlite_strict=True,
    )
    op.create_table(
        "marks",
        sa.Column("key_id", WHOLE, autoincrement=False, nullable=False),
        sa.Column("at", WHOLE, autoincrement=False, nullable=False),
        sa.Column("ordinal", WHOLE, nullable=False),
        sa.PrimaryKeyConstraint("key_id", "at", name=op.f("pk_marks")),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.execute("INSERT INTO marks (key_id, at, ordinal) SELECT key_id, at, ordinal FROM windows")
    op.drop_table("windows")
    op.add_column("accounts", sa.Column("posted", WHOLE, nullable=False, server_default="0"))
    if op.get_bind().dialect.name == "postgresql":
        # A record lies in its row, not in parts elsewhere, and is not compressed while settlement waits.
        op.execute("ALTER TABLE batches ALTER changes SET STORAGE EXTERNAL")
        op.execute("ALTER TABLE batches ALTER entries SET STORAGE EXTERNAL")
        op.execute("ALTER TABLE batches SET (toast_tuple_target = 8160)")
    for statement in _SQLITE if op.get_bind().dialect.name == "sqlite" else _POSTGRES:
        op.execute(statement)


def downgrade() -> None:
    """Refuse: an older version would charge beside what waits."""
    raise NotImplementedError("revisions only go forward; restore a backup instead")
