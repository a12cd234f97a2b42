-- What the service said of plans. All of it may vanish and be asked for again.
-- Instants are milliseconds since 1970 UTC.
-- `said` is what is known of one, in JSON with the interface's names. The columns made of it are searched.

CREATE TABLE product (
    profile_id TEXT NOT NULL,
    reference_id TEXT NOT NULL,
    said TEXT NOT NULL,
    title TEXT AS (said ->> 'title') STORED,
    PRIMARY KEY (profile_id, reference_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE plan (
    number INTEGER PRIMARY KEY,
    profile_id TEXT NOT NULL,
    id TEXT NOT NULL,
    product_reference TEXT,
    fetched_at INTEGER NOT NULL,
    said TEXT NOT NULL,
    store_reference_id TEXT AS (said ->> 'storeReferenceId') STORED,
    title TEXT AS (said ->> 'title') STORED,
    service_type TEXT AS (said ->> 'serviceType') STORED,
    protection_type TEXT AS (said ->> 'protectionType') STORED,
    UNIQUE (profile_id, id)
) STRICT;

CREATE INDEX plan_product ON plan (profile_id, product_reference);
CREATE INDEX plan_store_reference ON plan (profile_id, store_reference_id);

-- One answer to a listing by filter.
CREATE TABLE listing (
    number INTEGER PRIMARY KEY,
    profile_id TEXT NOT NULL,
    product_reference TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('Live', 'LiveInStore', 'Any')),
    fetched_at INTEGER NOT NULL,
    UNIQUE (profile_id, product_reference, kind)
) STRICT;

CREATE TABLE listing_plan (
    listing INTEGER NOT NULL REFERENCES listing (number) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    plan INTEGER NOT NULL REFERENCES plan (number) ON DELETE CASCADE,
    -- What this answer said of the plan, once an answer about another product said it anew; else NULL.
    said TEXT,
    PRIMARY KEY (listing, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX listing_plan_plan ON listing_plan (plan);
