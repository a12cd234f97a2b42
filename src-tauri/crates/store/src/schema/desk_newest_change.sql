-- Products and plans of a store that were changed from here, each with the newest run there was when its
-- newest change was asked for: rows of that run and of older ones are not sent over it. A row was asked
-- for when its run was the newest but one.
CREATE TABLE newest_change (
    origin TEXT NOT NULL,
    store_id TEXT NOT NULL,
    field TEXT NOT NULL CHECK (field IN ('productReferenceId', 'planId')),
    code TEXT NOT NULL,
    run INTEGER NOT NULL,
    PRIMARY KEY (origin, store_id, field, code)
) STRICT, WITHOUT ROWID;
