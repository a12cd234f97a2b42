-- Instants are milliseconds since 1970 UTC.
--
-- Profiles are never deleted: what was sold under one keeps pointing at it. A removed one has
-- `removed_at` and gives its name free. `name_key` is the name as compared: NFKC and lower case.
CREATE TABLE profile (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('practice', 'live')),
    base_url TEXT NOT NULL,
    store_id TEXT NOT NULL,
    utc_offset_minutes INTEGER NOT NULL CHECK (utc_offset_minutes BETWEEN -840 AND 840),
    currency TEXT NOT NULL,
    term_unit TEXT NOT NULL,
    bulk_fact TEXT NOT NULL CHECK (bulk_fact IN ('unknown', 'allOrNothing', 'partial')),
    key_replay_seconds INTEGER CHECK (key_replay_seconds >= 0),
    removed_at INTEGER
) STRICT;

CREATE UNIQUE INDEX profile_name ON profile (name_key) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX profile_practice ON profile (kind) WHERE kind = 'practice' AND removed_at IS NULL;

-- Single values of the program itself.
CREATE TABLE setting (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
