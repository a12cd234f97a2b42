-- How many entries a draft holds that were not submitted, as its page says: counted without opening
-- the draft.
ALTER TABLE draft ADD COLUMN entries INTEGER NOT NULL DEFAULT 0;
