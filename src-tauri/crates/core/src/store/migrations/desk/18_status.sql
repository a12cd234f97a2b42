-- The contract's status, in the service's own word, as the last lookup of the outbox returned it.
ALTER TABLE submission ADD COLUMN status TEXT;
