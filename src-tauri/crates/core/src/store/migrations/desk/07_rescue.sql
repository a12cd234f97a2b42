-- What was found when the file had to be replaced: in short, and whole as JSON; shown until a
-- person has seen it. Instants are milliseconds since 1970 UTC.
CREATE TABLE rescue (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    set_aside TEXT,
    backup_taken_at INTEGER,
    pending INTEGER NOT NULL,
    -- The newest copy there was then, by its number; 0 when there was none.
    newest_copy INTEGER NOT NULL,
    report TEXT NOT NULL,
    seen_at INTEGER
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

CREATE INDEX rescued_sale_transaction ON rescued_sale (transaction_id);
