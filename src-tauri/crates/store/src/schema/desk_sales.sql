-- A sale is searched for at its service, whatever the store: the store of a profile may have been wrong, and
-- the service may have a contract under another one.
DROP INDEX submission_sale;
CREATE INDEX submission_sale ON submission (origin, transaction_id, product_reference_id, plan_id);
