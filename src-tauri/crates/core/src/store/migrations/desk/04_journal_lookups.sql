-- Who did what and when. No secret and no customer's name. `at` is milliseconds since 1970 UTC.
CREATE TABLE journal (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    user TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT
) STRICT;

CREATE TRIGGER journal_is_not_changed BEFORE UPDATE ON journal
BEGIN
    SELECT RAISE(ABORT, 'the journal is not changed');
END;

CREATE TRIGGER journal_is_kept BEFORE DELETE ON journal
BEGIN
    SELECT RAISE(ABORT, 'the journal is kept');
END;

-- Contracts looked up lately, without their customers.
CREATE TABLE lookup (
    profile_id TEXT NOT NULL,
    contract_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    transaction_id TEXT NOT NULL,
    product_title TEXT,
    status TEXT,
    PRIMARY KEY (profile_id, contract_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX lookup_at ON lookup (profile_id, at);
