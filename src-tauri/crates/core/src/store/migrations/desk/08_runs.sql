-- Runs: many rows of one kind, from a file or a sheet, kept until each has come to something.
-- All instants are milliseconds since 1970 UTC.
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
    -- Headers and which column is which field, sealed: a file without headers has a customer there.
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
    unchecked INTEGER NOT NULL DEFAULT 0,
    batches INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX run_state ON run (profile_id, state);

-- Rows as handed in, sealed, some to a chunk. Of a chunk that was worked through only the rows stay
-- that a person has to mend.
CREATE TABLE run_chunk (
    run INTEGER NOT NULL REFERENCES run (number),
    chunk INTEGER NOT NULL,
    first_row INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    key_id TEXT NOT NULL,
    sealed BLOB NOT NULL,
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
    confirmed TEXT,
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;

ALTER TABLE submission ADD COLUMN run INTEGER REFERENCES run (number);
ALTER TABLE batch ADD COLUMN run INTEGER REFERENCES run (number);

CREATE INDEX submission_run ON submission (run, state) WHERE run IS NOT NULL;

-- What is due, the counter's own before that of runs.
CREATE INDEX batch_turn ON batch (profile_id, state, run);
DROP INDEX batch_open;

-- Which accepted entry is looked up next, without passing over all that are not due.
DROP INDEX submission_lookup;
CREATE INDEX submission_look ON submission (profile_id, next_lookup_at) WHERE state = 'accepted';
