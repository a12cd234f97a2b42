-- Instants are milliseconds since 1970 UTC.
--
-- Products known at this desk: the interface has no list and no read of them.
-- `folded` is the searched text: reference, title, category and brand in NFKC and lower case.
CREATE TABLE product (
    profile_id TEXT NOT NULL REFERENCES profile (id),
    reference_id TEXT NOT NULL,
    title TEXT,
    price INTEGER,
    image_url TEXT,
    category TEXT,
    brand TEXT,
    mfr_coverage_days INTEGER,
    mfr_url TEXT,
    known_from TEXT NOT NULL CHECK (known_from IN ('upsert', 'plan', 'contract', 'reference', 'practice')),
    known_at INTEGER NOT NULL,
    folded TEXT NOT NULL,
    PRIMARY KEY (profile_id, reference_id)
) STRICT, WITHOUT ROWID;

-- Leads, in the order they were entered. Their tokens are never kept.
CREATE TABLE lead (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    profile_id TEXT NOT NULL REFERENCES profile (id),
    state TEXT NOT NULL
        CHECK (state IN ('queued', 'inFlight', 'created', 'rejected', 'unknown', 'cancelled')),
    transaction_id TEXT NOT NULL,
    product_reference_id TEXT NOT NULL,
    product_purchase_price INTEGER NOT NULL,
    quantity INTEGER NOT NULL CHECK (quantity >= 1),
    transaction_date TEXT NOT NULL,
    status TEXT,
    entered_at INTEGER NOT NULL,
    entered_by TEXT NOT NULL,
    request_id TEXT,
    refusal TEXT
) STRICT;

CREATE INDEX lead_profile ON lead (profile_id, number);
CREATE INDEX lead_in_flight ON lead (state) WHERE state = 'inFlight';
