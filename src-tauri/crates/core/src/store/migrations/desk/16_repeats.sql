-- Accepted after an attempt whose outcome stayed unknown, and not known to be a replay of its key:
-- the provider may have made it more than once. It stays noted; `duplicate_reference` is what a
-- person recorded who asked the provider.
ALTER TABLE submission ADD COLUMN duplicate_possible INTEGER NOT NULL DEFAULT 0
    CHECK (duplicate_possible IN (0, 1));
ALTER TABLE submission ADD COLUMN duplicate_reference TEXT;

UPDATE submission SET duplicate_possible = 1
WHERE state IN ('accepted', 'confirmed') AND EXISTS (
    SELECT 1 FROM batch b WHERE b.id = submission.batch_id
        AND b.state = 'accepted' AND b.unknown_before = 1)
    AND NOT EXISTS (SELECT 1 FROM profile p
        WHERE p.id = submission.profile_id AND p.key_replay_seconds IS NOT NULL);

CREATE INDEX submission_duplicate ON submission (profile_id)
    WHERE duplicate_possible = 1 AND duplicate_reference IS NULL;
