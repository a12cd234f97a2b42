-- What the service said of plans. All of it may vanish and be asked for again.
-- Instants are milliseconds since 1970 UTC.
CREATE TABLE product (
    profile_id TEXT NOT NULL,
    reference_id TEXT NOT NULL,
    id TEXT,
    title TEXT,
    price INTEGER,
    image_url TEXT,
    created_at TEXT,
    updated_at TEXT,
    PRIMARY KEY (profile_id, reference_id)
) STRICT, WITHOUT ROWID;

-- `folded` is the searched text: everything of the plan and its product, NFKC and lower case.
CREATE TABLE plan (
    number INTEGER PRIMARY KEY,
    profile_id TEXT NOT NULL,
    id TEXT NOT NULL,
    store_reference_id TEXT,
    title TEXT,
    price INTEGER,
    term_length INTEGER,
    service_type TEXT,
    protection_type TEXT,
    url TEXT,
    product_reference TEXT,
    fetched_at INTEGER NOT NULL,
    folded TEXT NOT NULL,
    UNIQUE (profile_id, id)
) STRICT;

CREATE INDEX plan_product ON plan (profile_id, product_reference);
CREATE INDEX plan_store_reference ON plan (profile_id, store_reference_id);

-- One answer: a listing by filter, or the plans in the answer of an upsert.
CREATE TABLE listing (
    number INTEGER PRIMARY KEY,
    profile_id TEXT NOT NULL,
    product_reference TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('Live', 'LiveInStore', 'Any', 'Upsert')),
    fetched_at INTEGER NOT NULL,
    UNIQUE (profile_id, product_reference, kind)
) STRICT;

CREATE TABLE listing_plan (
    listing INTEGER NOT NULL REFERENCES listing (number) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    plan INTEGER NOT NULL REFERENCES plan (number) ON DELETE CASCADE,
    PRIMARY KEY (listing, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX listing_plan_plan ON listing_plan (plan);

-- Three or more characters are found through this index; it reads its text from `plan`.
CREATE VIRTUAL TABLE plan_text USING fts5 (
    folded,
    content = 'plan',
    content_rowid = 'number',
    tokenize = 'trigram case_sensitive 1'
);

CREATE TRIGGER plan_text_insert AFTER INSERT ON plan BEGIN
    INSERT INTO plan_text (rowid, folded) VALUES (new.number, new.folded);
END;

CREATE TRIGGER plan_text_delete AFTER DELETE ON plan BEGIN
    INSERT INTO plan_text (plan_text, rowid, folded) VALUES ('delete', old.number, old.folded);
END;

CREATE TRIGGER plan_text_update AFTER UPDATE OF folded ON plan BEGIN
    INSERT INTO plan_text (plan_text, rowid, folded) VALUES ('delete', old.number, old.folded);
    INSERT INTO plan_text (rowid, folded) VALUES (new.number, new.folded);
END;
