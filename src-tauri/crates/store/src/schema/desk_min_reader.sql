-- How many of these steps a program must know at least to work with this file. A step that older programs
-- can live with leaves it as it is, so that one version back still works; any other raises it.
INSERT INTO setting (name, value) VALUES ('minReader', '3');
