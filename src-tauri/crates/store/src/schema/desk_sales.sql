-- A sale is looked for within its store, and beside it among the entries of its profile: a profile whose
-- store was corrected, and a contract that the service has under another store, are the same shop.
DROP INDEX submission_sale;
CREATE INDEX submission_sale
    ON submission (origin, transaction_id, product_reference_id, plan_id, store_id);
