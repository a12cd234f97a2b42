-- Plans are searched in memory, in the texts they have here anyway.
DROP TRIGGER plan_text_insert;
DROP TRIGGER plan_text_delete;
DROP TRIGGER plan_text_update;
DROP TABLE plan_text;
ALTER TABLE plan DROP COLUMN folded;
