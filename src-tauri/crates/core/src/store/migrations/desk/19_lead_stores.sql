-- What tells for which profile and store a lead was entered: bound to them under this key, so that
-- neither the lead nor its profile can be pointed elsewhere in the file.
ALTER TABLE lead ADD COLUMN store_key TEXT;
ALTER TABLE lead ADD COLUMN store_mark BLOB;
