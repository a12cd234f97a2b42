-- The store at the service that an entry was sold for, whatever profile names it. An origin is
-- scheme, host and port of the address, for practice the word `practice`; the address is kept in its
-- normal form, so the origin is what comes before the first slash of the path.
ALTER TABLE submission ADD COLUMN origin TEXT NOT NULL DEFAULT '';
ALTER TABLE submission ADD COLUMN store_id TEXT NOT NULL DEFAULT '';

-- Whether the plan's price was compared with the service's, or a person said yes to the difference.
ALTER TABLE submission ADD COLUMN price_checked INTEGER NOT NULL DEFAULT 0
    CHECK (price_checked IN (0, 1));

UPDATE submission SET
    store_id = p.store_id,
    origin = CASE WHEN instr(p.base_url, '://') = 0 THEN p.base_url
        ELSE substr(p.base_url, 1, instr(p.base_url, '://') + 1
            + instr(substr(p.base_url, instr(p.base_url, '://') + 3) || '/', '/')) END
FROM profile p WHERE p.id = submission.profile_id;

DROP INDEX submission_sale;
CREATE INDEX submission_sale
    ON submission (origin, store_id, transaction_id, product_reference_id, plan_id);
