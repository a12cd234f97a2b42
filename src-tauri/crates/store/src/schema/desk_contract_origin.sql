-- One contract belongs to one entry of its service: after a profile has moved to another server, that one may
-- give the same ids anew.
DROP INDEX submission_contract;
CREATE UNIQUE INDEX submission_contract ON submission (contract_id, profile_id, origin)
    WHERE contract_id IS NOT NULL AND state <> 'cancelled';
