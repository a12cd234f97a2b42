-- One contract stands for one entry. Where two have it, the one entered first keeps it, and a
-- person looks at the other.
UPDATE submission SET state = 'needsPerson', case_reason = 'contradiction', contract_id = NULL
WHERE contract_id IS NOT NULL AND state <> 'cancelled' AND EXISTS (
    SELECT 1 FROM submission first
    WHERE first.profile_id = submission.profile_id AND first.contract_id = submission.contract_id
      AND first.state <> 'cancelled' AND first.number < submission.number);

CREATE UNIQUE INDEX submission_contract ON submission (profile_id, contract_id)
    WHERE contract_id IS NOT NULL AND state <> 'cancelled';
