CREATE TABLE setting (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

CREATE TABLE product (
    number       INTEGER PRIMARY KEY,
    id           TEXT NOT NULL UNIQUE,
    reference_id TEXT NOT NULL UNIQUE,
    title        TEXT NOT NULL,
    price        INTEGER NOT NULL,
    image_url    TEXT NOT NULL,
    category     TEXT NOT NULL,
    brand        TEXT NOT NULL,
    -- The warranty display flag: 0 hides the product's plans from the Live listing.
    display      INTEGER NOT NULL,
    created_at   TEXT NOT NULL,
    updated_at   TEXT NOT NULL
) STRICT;

CREATE TABLE plan (
    number               INTEGER PRIMARY KEY,
    id                   TEXT NOT NULL UNIQUE,
    product_reference_id TEXT NOT NULL REFERENCES product (reference_id),
    store_reference_id   TEXT,
    title                TEXT NOT NULL,
    price                INTEGER NOT NULL,
    term_length          INTEGER NOT NULL,
    service_type         TEXT NOT NULL,
    protection_type      TEXT NOT NULL,
    url                  TEXT NOT NULL
) STRICT;

CREATE INDEX plan_by_product ON plan (product_reference_id);

-- The ledger: what was really sold. `document` is the contract as the interface shows it.
CREATE TABLE contract (
    number                 INTEGER PRIMARY KEY,
    id                     TEXT NOT NULL UNIQUE,
    transaction_id         TEXT NOT NULL,
    transaction_total      INTEGER NOT NULL,
    customer_email         TEXT NOT NULL,
    product_reference_id   TEXT NOT NULL,
    product_purchase_price INTEGER NOT NULL,
    plan_id                TEXT NOT NULL,
    plan_purchase_price    INTEGER NOT NULL,
    idempotency_key        TEXT,
    created_at_ms          INTEGER NOT NULL,
    document               TEXT NOT NULL
) STRICT;

CREATE TABLE lead (
    number        INTEGER PRIMARY KEY,
    token         TEXT NOT NULL UNIQUE,
    created_at_ms INTEGER NOT NULL,
    document      TEXT NOT NULL
) STRICT;

-- Answers stored for idempotency keys. A key may have an answer for each of several bodies.
CREATE TABLE kept_answer (
    key          TEXT NOT NULL,
    body         BLOB NOT NULL,
    status       INTEGER NOT NULL,
    refused      INTEGER NOT NULL,
    answer       TEXT NOT NULL,
    kept_at_ms   INTEGER NOT NULL,
    PRIMARY KEY (key, body)
) STRICT;
