-- What staff want to do about a lead, known only at this desk: a day of the store on which to contact
-- the customer, and a note, encrypted, with when it was written.
ALTER TABLE lead ADD COLUMN due TEXT;
ALTER TABLE lead ADD COLUMN note_key TEXT;
ALTER TABLE lead ADD COLUMN note BLOB;
ALTER TABLE lead ADD COLUMN note_at INTEGER;

CREATE INDEX lead_due ON lead (profile_id, due) WHERE due IS NOT NULL;
