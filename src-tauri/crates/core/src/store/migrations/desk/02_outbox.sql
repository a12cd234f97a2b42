-- What is sent, as it is sent: the body frozen to the byte, its key, and how far it has come.
-- All instants are milliseconds since 1970 UTC. `revision` makes every step a compare-and-swap.
CREATE TABLE batch (
    id TEXT PRIMARY KEY,
    profile_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'inFlight', 'held', 'unknown', 'accepted',
        'rejected', 'needsPerson', 'cancelled')),
    revision INTEGER NOT NULL DEFAULT 0,
    body BLOB NOT NULL,
    idempotency_key TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL CHECK (size BETWEEN 1 AND 10),
    -- Whether anything may ever have reached the service.
    reached INTEGER NOT NULL DEFAULT 0 CHECK (reached IN (0, 1)),
    -- Where and as whom it was sent last; a repeat in doubt goes nowhere else.
    base_url TEXT NOT NULL,
    token_fingerprint TEXT,
    -- 'token' until the token changes, 'rate' until next_at.
    hold TEXT CHECK (hold IN ('token', 'rate')),
    case_reason TEXT,
    -- Whether an attempt of unknown outcome ever happened.
    unknown_before INTEGER NOT NULL DEFAULT 0 CHECK (unknown_before IN (0, 1)),
    -- A person allowed one more repeat of the same key.
    replay_granted INTEGER NOT NULL DEFAULT 0 CHECK (replay_granted IN (0, 1)),
    -- Since it last was known to be nowhere: how often it left, and when first. The monotonic
    -- time counts from what process_id names: a start of the machine, or of a process.
    sends INTEGER NOT NULL DEFAULT 0,
    first_sent_at INTEGER,
    first_sent_mono INTEGER,
    process_id TEXT,
    -- Waits in a row without an answer, for the backoff.
    setbacks INTEGER NOT NULL DEFAULT 0,
    -- When the desk acts next by itself.
    next_at INTEGER,
    frozen_at INTEGER NOT NULL
) STRICT;

CREATE INDEX batch_open ON batch (profile_id, state, next_at)
    WHERE state IN ('queued', 'inFlight', 'held', 'unknown');

-- One row of entry. The customer stands apart, so that it can be forgotten without the sale.
-- `folded` is the searched text without the customer: NFKC and lower case.
CREATE TABLE submission (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    profile_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('draft', 'queued', 'inFlight', 'held', 'unknown',
        'accepted', 'confirmed', 'rejected', 'needsPerson', 'cancelled')),
    case_reason TEXT CHECK (case_reason IN ('unknownTooLong', 'rejectedAfterUnknown',
        'rejectedBatch', 'neverVisible', 'contradiction')),
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
    folded TEXT NOT NULL
) STRICT;

CREATE INDEX submission_state ON submission (profile_id, state);
CREATE INDEX submission_batch ON submission (batch_id, position);
CREATE INDEX submission_sale
    ON submission (profile_id, transaction_id, product_reference_id, plan_id);
CREATE INDEX submission_lookup ON submission (next_lookup_at) WHERE state = 'accepted';
CREATE INDEX submission_replaces ON submission (replaces) WHERE replaces IS NOT NULL;

CREATE TABLE submission_customer (
    submission_id TEXT PRIMARY KEY REFERENCES submission (id),
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    folded TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Evidence. A row is written before the first byte leaves and completed once; a row without a
-- class and a finish is one whose process died.
CREATE TABLE attempt (
    batch_id TEXT NOT NULL REFERENCES batch (id),
    number INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    base_url TEXT NOT NULL,
    token_fingerprint TEXT,
    finished_at INTEGER,
    class TEXT CHECK (class IN ('notSent', 'declined', 'rejected', 'accepted', 'unknown')),
    status INTEGER,
    request_id TEXT,
    code TEXT,
    detail TEXT,
    PRIMARY KEY (batch_id, number)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER attempt_is_completed_once BEFORE UPDATE ON attempt
WHEN OLD.class IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'an attempt is evidence and is not changed');
END;

CREATE TRIGGER attempt_is_kept BEFORE DELETE ON attempt
BEGIN
    SELECT RAISE(ABORT, 'an attempt is evidence and is kept');
END;
