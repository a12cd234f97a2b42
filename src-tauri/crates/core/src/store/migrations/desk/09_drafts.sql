-- What was typed and not sent yet, sealed. One that was sealed with a key that is gone stays beside
-- the next of its name, and opens again should that key come back.
CREATE TABLE draft (
    profile_id TEXT NOT NULL,
    name TEXT NOT NULL,
    key_id TEXT NOT NULL,
    -- In milliseconds since 1970 UTC.
    kept_at INTEGER NOT NULL,
    size INTEGER NOT NULL,
    sealed BLOB NOT NULL,
    PRIMARY KEY (profile_id, name, key_id)
) STRICT;
