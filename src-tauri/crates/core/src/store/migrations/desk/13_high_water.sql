-- Which data folder this is, and how many steps of its sales and leads it has taken. Copies of both
-- are kept outside the file: a file that is behind them was put back from an older copy.
CREATE TABLE high_water (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    folder TEXT NOT NULL,
    mark INTEGER NOT NULL
) STRICT;

INSERT INTO high_water (only, folder, mark) VALUES (1, lower(hex(randomblob(16))), 0);

-- Every step counts, whatever code takes it. A later step of the tables that makes one of these
-- tables again must make its triggers again.
CREATE TRIGGER high_water_entered AFTER INSERT ON submission
BEGIN
    UPDATE high_water SET mark = mark + 1;
END;

CREATE TRIGGER high_water_moved AFTER UPDATE OF state ON submission
BEGIN
    UPDATE high_water SET mark = mark + 1;
END;

CREATE TRIGGER high_water_stepped AFTER UPDATE OF revision ON batch
BEGIN
    UPDATE high_water SET mark = mark + 1;
END;

CREATE TRIGGER high_water_lead_entered AFTER INSERT ON lead
BEGIN
    UPDATE high_water SET mark = mark + 1;
END;

CREATE TRIGGER high_water_lead_moved AFTER UPDATE OF state ON lead
BEGIN
    UPDATE high_water SET mark = mark + 1;
END;

-- Why the file had to be rescued, and up to when entries may be missing in it; NULL when none can.
ALTER TABLE rescue ADD COLUMN cause TEXT NOT NULL DEFAULT 'damaged';
ALTER TABLE rescue ADD COLUMN gap_until INTEGER;
