-- Whether all rows of a run are there: until then it is neither checked nor started. One that was
-- still being kept when its process ended is put away at the next start.
ALTER TABLE run ADD COLUMN whole INTEGER NOT NULL DEFAULT 0 CHECK (whole IN (0, 1));
UPDATE run SET whole = 1 WHERE state <> 'staged';

-- A yes names what it was said to from here on.
UPDATE run_row SET confirmed = NULL;
