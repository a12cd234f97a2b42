-- Up to which mark the copy in the keychain may have come from this file: written before the copy is.
-- Steps that were taken while nobody asked the keychain, as when practising, do not count in it.
ALTER TABLE high_water ADD COLUMN kept INTEGER NOT NULL DEFAULT 0;

UPDATE high_water SET kept = mark;
