-- What the answer to a lead named that was not sent, and its token, encrypted: it may be the only one
-- the service ever gives.
ALTER TABLE lead ADD COLUMN other_transaction_id TEXT;
ALTER TABLE lead ADD COLUMN other_product_reference_id TEXT;
ALTER TABLE lead ADD COLUMN token_key TEXT;
ALTER TABLE lead ADD COLUMN token BLOB;

CREATE INDEX lead_sale ON lead (transaction_id, product_reference_id);
