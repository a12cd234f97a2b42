-- Customers and bodies at rest are sealed; see `seal_key` for whose key opens them. What an earlier
-- version kept open stays in `customer_unsealed`, and in bodies without a `body_key`, until the desk
-- has its key and seals it. A body of no bytes was forgotten, as was a customer without a row.
CREATE TABLE seal_key (
    id TEXT PRIMARY KEY,
    made_at INTEGER NOT NULL,
    -- A known text sealed with it: tells the key from another one kept under its name.
    check_value BLOB NOT NULL,
    -- Whether the keychain holds it. A key that is not kept served one process, for practising.
    kept INTEGER NOT NULL CHECK (kept IN (0, 1))
) STRICT, WITHOUT ROWID;

ALTER TABLE submission_customer RENAME TO customer_unsealed;

CREATE TABLE submission_customer (
    submission_id TEXT PRIMARY KEY REFERENCES submission (id),
    key_id TEXT NOT NULL,
    sealed BLOB NOT NULL
) STRICT, WITHOUT ROWID;

ALTER TABLE batch ADD COLUMN body_key TEXT;

-- Evidence is completed once; words that repeat a customer are masked while its body is sealed.
DROP TRIGGER attempt_is_completed_once;
CREATE TRIGGER attempt_is_completed_once BEFORE UPDATE ON attempt
WHEN OLD.class IS NOT NULL
    AND EXISTS (SELECT 1 FROM batch b WHERE b.id = OLD.batch_id AND b.body_key IS NOT NULL)
BEGIN
    SELECT RAISE(ABORT, 'an attempt is evidence and is not changed');
END;

-- The same table with one more column, and without a list of the reasons for a case, which grows.
CREATE TABLE submission_new (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    profile_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('draft', 'queued', 'inFlight', 'held', 'unknown',
        'accepted', 'confirmed', 'rejected', 'needsPerson', 'cancelled')),
    case_reason TEXT,
    batch_id TEXT REFERENCES batch (id),
    position INTEGER,
    transaction_id TEXT NOT NULL,
    transaction_total INTEGER NOT NULL,
    transaction_date TEXT NOT NULL,
    product_reference_id TEXT NOT NULL,
    product_title TEXT,
    product_purchase_price INTEGER NOT NULL,
    plan_id TEXT NOT NULL,
    plan_title TEXT,
    plan_purchase_price INTEGER NOT NULL,
    entered_at INTEGER NOT NULL,
    entered_by TEXT NOT NULL,
    contract_id TEXT,
    inquiry_code TEXT,
    accepted_at INTEGER,
    confirmed_at INTEGER,
    lookups INTEGER NOT NULL DEFAULT 0,
    next_lookup_at INTEGER,
    -- The entry this one was made in place of, and what a person said about it.
    replaces TEXT REFERENCES submission (id),
    resolved_with TEXT,
    resolved_reference TEXT,
    folded TEXT NOT NULL,
    -- Since when nothing more is to come of it: its customer is kept so long from here on.
    finished_at INTEGER
) STRICT;

INSERT INTO submission_new (number, id, profile_id, state, case_reason, batch_id, position,
    transaction_id, transaction_total, transaction_date, product_reference_id, product_title,
    product_purchase_price, plan_id, plan_title, plan_purchase_price, entered_at, entered_by,
    contract_id, inquiry_code, accepted_at, confirmed_at, lookups, next_lookup_at, replaces,
    resolved_with, resolved_reference, folded)
SELECT number, id, profile_id, state, case_reason, batch_id, position,
    transaction_id, transaction_total, transaction_date, product_reference_id, product_title,
    product_purchase_price, plan_id, plan_title, plan_purchase_price, entered_at, entered_by,
    contract_id, inquiry_code, accepted_at, confirmed_at, lookups, next_lookup_at, replaces,
    resolved_with, resolved_reference, folded
FROM submission;

DROP TABLE submission;
ALTER TABLE submission_new RENAME TO submission;

CREATE INDEX submission_state ON submission (profile_id, state);
CREATE INDEX submission_batch ON submission (batch_id, position);
CREATE INDEX submission_sale
    ON submission (profile_id, transaction_id, product_reference_id, plan_id);
CREATE INDEX submission_lookup ON submission (next_lookup_at) WHERE state = 'accepted';
CREATE INDEX submission_replaces ON submission (replaces) WHERE replaces IS NOT NULL;
CREATE UNIQUE INDEX submission_contract ON submission (profile_id, contract_id)
    WHERE contract_id IS NOT NULL AND state <> 'cancelled';
