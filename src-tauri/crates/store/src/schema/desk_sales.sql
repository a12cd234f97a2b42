-- A sale is searched for in its store and among the entries of its profile: the store of a profile may have
-- been corrected, and the service may have a contract under another store.
DROP INDEX submission_sale;
CREATE INDEX submission_sale
    ON submission (origin, transaction_id, product_reference_id, plan_id, store_id);
