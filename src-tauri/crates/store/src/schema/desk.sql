-- The desk's durable file. Instants are milliseconds since 1970 UTC. What is encrypted is beside the
-- id of its key, see `encryption_key`; bytes of length 0, and a customer without a row, were deleted.
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
    -- The IANA name of the store's time zone; without one the offset counts all year.
    time_zone TEXT,
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

-- How many steps of the tables, this file being the first, a program must know at least to work with the
-- file. A step that older programs can live with leaves it as it is, so that one version back still works; any
-- other raises it.
INSERT INTO setting (name, value) VALUES ('minReader', '1');

-- Keys of customers, bodies, rows and drafts.
CREATE TABLE encryption_key (
    id TEXT PRIMARY KEY,
    made_at INTEGER NOT NULL,
    -- A known text encrypted with it: distinguishes the key from another one of its name.
    check_value BLOB NOT NULL,
    -- Whether the keychain holds it. A key that is not kept served one process, for practising.
    kept INTEGER NOT NULL CHECK (kept IN (0, 1))
) STRICT, WITHOUT ROWID;

-- Runs: many rows of one kind, from a file or a sheet, kept until each has come to something.
CREATE TABLE run (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    profile_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    source TEXT NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('staged', 'running', 'paused', 'cancelled', 'done')),
    created_at INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    finished_at INTEGER,
    -- A person does not want to see it any more.
    hidden INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1)),
    -- Headers and which column is which field, encrypted: a file without headers has a customer there.
    layout_key TEXT NOT NULL,
    layout BLOB NOT NULL,
    rows INTEGER NOT NULL DEFAULT 0,
    chunks INTEGER NOT NULL DEFAULT 0,
    -- How many rows were looked at before anything was done with them.
    checked INTEGER NOT NULL DEFAULT 0,
    -- The first chunk that nothing was done with yet.
    next_chunk INTEGER NOT NULL DEFAULT 0,
    -- What the rows came to, kept with each chunk.
    entered INTEGER NOT NULL DEFAULT 0,
    already_entered INTEGER NOT NULL DEFAULT 0,
    differing INTEGER NOT NULL DEFAULT 0,
    rejected INTEGER NOT NULL DEFAULT 0,
    -- Whether a person has the rejected rows: in a file, printed by wdesk, or back in the sheet, which
    -- has the rows of a cancelled run back as well.
    rejected_taken INTEGER NOT NULL DEFAULT 0 CHECK (rejected_taken IN (0, 1)),
    unchecked INTEGER NOT NULL DEFAULT 0,
    batches INTEGER NOT NULL DEFAULT 0,
    -- Whether all rows are there: until then it is neither checked nor started. One that was still
    -- being kept when its process ended is hidden at the next start.
    whole INTEGER NOT NULL DEFAULT 0 CHECK (whole IN (0, 1))
) STRICT;

CREATE INDEX run_state ON run (profile_id, state);

-- Rows as submitted, encrypted, some to a chunk. Of a chunk that was worked through only the rows stay
-- that a person has to correct.
CREATE TABLE run_chunk (
    run INTEGER NOT NULL REFERENCES run (number),
    chunk INTEGER NOT NULL,
    first_row INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    key_id TEXT NOT NULL,
    encrypted BLOB NOT NULL,
    PRIMARY KEY (run, chunk)
) STRICT;

-- A row that has come to something, or about which a person said something. Nothing personal.
CREATE TABLE run_row (
    run INTEGER NOT NULL REFERENCES run (number),
    number INTEGER NOT NULL,
    line INTEGER NOT NULL,
    outcome TEXT CHECK (outcome IN ('entered', 'alreadyEntered', 'differing', 'rejected')),
    submission_id TEXT,
    finding TEXT,
    -- The questions that a person said yes to.
    confirmed TEXT,
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;

-- What is sent, as it is sent: the body frozen to the byte, its key, and how far it has come.
-- `revision` makes every step a compare-and-swap.
CREATE TABLE batch (
    id TEXT PRIMARY KEY,
    profile_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'inFlight', 'held', 'unknown', 'accepted',
        'rejected', 'needsPerson', 'cancelled')),
    revision INTEGER NOT NULL DEFAULT 0,
    run INTEGER REFERENCES run (number),
    idempotency_key TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL CHECK (size BETWEEN 1 AND 10),
    -- Whether anything may ever have reached the service.
    reached INTEGER NOT NULL DEFAULT 0 CHECK (reached IN (0, 1)),
    -- Where and as whom it was sent last; a repeat of unknown outcome goes nowhere else.
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
    failures INTEGER NOT NULL DEFAULT 0,
    -- When the desk acts next by itself.
    next_at INTEGER,
    frozen_at INTEGER NOT NULL,
    body_key TEXT NOT NULL,
    -- Last: it takes pages of its own, and what is before it is read without them.
    body BLOB NOT NULL
) STRICT;

-- What is due, the counter's own before that of runs.
CREATE INDEX batch_turn ON batch (profile_id, state, run);
-- When the desk acts next, without reading every batch that waits.
CREATE INDEX batch_next ON batch (profile_id, next_at)
    WHERE state IN ('queued', 'held', 'unknown') AND next_at IS NOT NULL;

-- One row of entry. The customer has a row of its own, so that it can be forgotten without the sale.
CREATE TABLE submission (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    profile_id TEXT NOT NULL,
    -- The store at the service, whatever profile names it. An origin is scheme, host and port of the
    -- address, for practice the word `practice`.
    origin TEXT NOT NULL,
    store_id TEXT NOT NULL,
    run INTEGER REFERENCES run (number),
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
    -- Whether the plan's price was compared with the service's, or a person said yes to the difference.
    price_checked INTEGER NOT NULL DEFAULT 0 CHECK (price_checked IN (0, 1)),
    entered_at INTEGER NOT NULL,
    entered_by TEXT NOT NULL,
    contract_id TEXT,
    inquiry_code TEXT,
    accepted_at INTEGER,
    confirmed_at INTEGER,
    lookups INTEGER NOT NULL DEFAULT 0,
    next_lookup_at INTEGER,
    -- The contract's status, in the service's own word, as the last lookup of the outbox returned it.
    status TEXT,
    -- Accepted after an attempt whose outcome stayed unknown, and not known to be a replay of its key:
    -- the provider may have made it more than once. What a person recorded who asked the provider.
    duplicate_possible INTEGER NOT NULL DEFAULT 0 CHECK (duplicate_possible IN (0, 1)),
    duplicate_reference TEXT,
    -- The entry this one was made in place of, and what a person said about it.
    replaces TEXT REFERENCES submission (id),
    resolved_with TEXT,
    resolved_reference TEXT,
    -- Since when nothing more is to come of it: its customer is kept so long from here on.
    finished_at INTEGER
) STRICT;

CREATE INDEX submission_state ON submission (profile_id, state);
-- The entries of a day. The time of entry never changes, so that a step of an entry costs nothing here.
CREATE INDEX submission_entered ON submission (profile_id, entered_at);
CREATE INDEX submission_batch ON submission (batch_id, position);
CREATE INDEX submission_run ON submission (run, state) WHERE run IS NOT NULL;
-- A sale is searched for at its service, whatever the store: the store of a profile may have been wrong, and
-- the service may have a contract under another one. It is searched for by its transaction without the zeros in
-- front, which a spreadsheet drops, and in small letters: Caps Lock changes what a scanner writes. The whole
-- transaction follows, so that the index alone still says of every entry which sale it is.
CREATE INDEX submission_sale ON submission
    (origin, lower(ltrim(transaction_id, '0')), transaction_id, product_reference_id, plan_id);
-- Which accepted entry is looked up next, without passing over all that are not due.
CREATE INDEX submission_lookup_due ON submission (profile_id, next_lookup_at) WHERE state = 'accepted';
CREATE INDEX submission_replaces ON submission (replaces) WHERE replaces IS NOT NULL;
CREATE INDEX submission_duplicate ON submission (profile_id)
    WHERE duplicate_possible = 1 AND duplicate_reference IS NULL;
-- One contract belongs to one entry of its service: after a profile has moved to another server, that one may
-- give the same ids again.
CREATE UNIQUE INDEX submission_contract ON submission (contract_id, profile_id, origin)
    WHERE contract_id IS NOT NULL AND state <> 'cancelled';

CREATE TABLE submission_customer (
    submission_id TEXT PRIMARY KEY REFERENCES submission (id),
    key_id TEXT NOT NULL,
    encrypted BLOB NOT NULL
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
    known_from TEXT NOT NULL CHECK (known_from IN ('upsert', 'plan', 'contract', 'reference', 'practice')),
    known_at INTEGER NOT NULL,
    folded TEXT NOT NULL,
    PRIMARY KEY (profile_id, reference_id)
) STRICT, WITHOUT ROWID;

-- Plans of a store, and products of a service (without a store), that were changed from here, each with
-- the newest run there was when its newest change was asked for: rows of that run and of older ones are
-- not sent over it. A row was asked for when its run was the newest but one.
CREATE TABLE newest_change (
    origin TEXT NOT NULL,
    store_id TEXT NOT NULL,
    field TEXT NOT NULL CHECK (field IN ('productReferenceId', 'planId')),
    code TEXT NOT NULL,
    run INTEGER NOT NULL,
    PRIMARY KEY (origin, store_id, field, code)
) STRICT, WITHOUT ROWID;

-- Leads, in the order they were entered. The token of an answer is kept only where a person has to
-- decide about it: it may be the only one the service ever gives.
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
    refusal TEXT,
    -- What the answer named that was not sent.
    other_transaction_id TEXT,
    other_product_reference_id TEXT,
    -- Of a created one.
    token_key TEXT,
    token BLOB,
    -- Proves for which profile and store it was entered: bound to them, so that neither the lead nor its
    -- profile can be pointed elsewhere in the file.
    store_key TEXT,
    store_mark BLOB,
    -- What staff want to do about it, known only at this desk: a day of the store on which to contact the
    -- customer, and a note.
    due TEXT,
    note_key TEXT,
    note BLOB,
    -- When its token or its note was written last.
    kept_at INTEGER
) STRICT;

CREATE INDEX lead_profile ON lead (profile_id, number);
CREATE INDEX lead_entered ON lead (profile_id, entered_at);
CREATE INDEX lead_in_flight ON lead (state) WHERE state = 'inFlight';
CREATE INDEX lead_due ON lead (profile_id, due) WHERE due IS NOT NULL;
-- By the transaction as sales are searched for, see `submission_sale`.
CREATE INDEX lead_sale ON lead (lower(ltrim(transaction_id, '0')));

-- What was typed and not sent yet. One that was encrypted with a key that is gone stays beside
-- the next of its name, and opens again should that key come back.
CREATE TABLE draft (
    profile_id TEXT NOT NULL,
    name TEXT NOT NULL,
    key_id TEXT NOT NULL,
    kept_at INTEGER NOT NULL,
    size INTEGER NOT NULL,
    encrypted BLOB NOT NULL,
    -- How many entries it holds that were not submitted, as its page says.
    entries INTEGER NOT NULL,
    PRIMARY KEY (profile_id, name, key_id)
) STRICT;

-- Who did what and when. No secret and no customer's name.
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

-- What was found when the file had to be replaced: in short, and whole as JSON; shown until a
-- person has seen it.
CREATE TABLE rescue (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    set_aside TEXT,
    backup_taken_at INTEGER,
    pending INTEGER NOT NULL,
    -- The newest copy there was then, by its number; 0 when there was none.
    newest_copy INTEGER NOT NULL,
    report TEXT NOT NULL,
    seen_at INTEGER,
    cause TEXT NOT NULL,
    -- Up to when entries may be missing; NULL when none can.
    gap_until INTEGER
) STRICT;

-- Sales that only a damaged file knew: they may have been sold.
CREATE TABLE rescued_sale (
    rescue INTEGER NOT NULL REFERENCES rescue (number),
    transaction_id TEXT NOT NULL,
    product_reference_id TEXT NOT NULL,
    plan_id TEXT NOT NULL,
    state TEXT NOT NULL,
    contract_id TEXT
) STRICT;

CREATE INDEX rescued_sale_transaction ON rescued_sale (lower(ltrim(transaction_id, '0')));

-- Which data folder this is, and how many steps of its sales and leads it has taken. Copies of both
-- are kept outside the file: a file that is behind them was put back from an older copy.
CREATE TABLE high_water (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    folder TEXT NOT NULL,
    mark INTEGER NOT NULL,
    -- Up to which mark the copy in the keychain may have come from this file: written before the copy
    -- is. Steps taken while nobody asked the keychain, as when practising, do not count in it.
    kept INTEGER NOT NULL
) STRICT;

INSERT INTO high_water (only, folder, mark, kept) VALUES (1, lower(hex(randomblob(16))), 0, 0);

-- Whatever is entered, sent, accepted or decided by a person counts once, whatever code does it. What
-- other answers lead to does not: without it the batch is in flight, as after a crash between the two. A
-- later step of the tables that makes one of these tables again must make its triggers again.
CREATE TRIGGER high_water_entered AFTER INSERT ON batch
BEGIN
    UPDATE high_water SET mark = mark + 1;
END;

CREATE TRIGGER high_water_moved AFTER UPDATE OF state ON submission
WHEN OLD.state NOT IN ('inFlight', 'accepted') AND NEW.state <> 'inFlight'
BEGIN
    UPDATE high_water SET mark = mark + 1;
END;

CREATE TRIGGER high_water_stepped AFTER UPDATE OF revision ON batch
WHEN OLD.state <> 'inFlight' OR NEW.state = 'accepted'
BEGIN
    UPDATE high_water SET mark = mark + 1;
END;

CREATE TRIGGER high_water_lead_entered AFTER INSERT ON lead
BEGIN
    UPDATE high_water SET mark = mark + 1;
END;

CREATE TRIGGER high_water_lead_moved AFTER UPDATE OF state ON lead
BEGIN
    UPDATE high_water SET mark = mark + 1;
END;
