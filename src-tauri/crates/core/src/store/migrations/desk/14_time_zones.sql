-- The IANA name of the time zone of a store; none: its offset counts all year.
ALTER TABLE profile ADD COLUMN time_zone TEXT;
