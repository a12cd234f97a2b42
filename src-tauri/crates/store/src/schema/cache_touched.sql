-- The products of which something changed since plans were last searched; '' means none.
-- For as long as the connection: whatever it writes, and only what is not taken back, leaves a mark.
CREATE TEMP TABLE touched (product_reference TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

CREATE TEMP TRIGGER plan_came AFTER INSERT ON plan BEGIN
    INSERT INTO touched VALUES (ifnull(new.product_reference, '')) ON CONFLICT DO NOTHING;
END;

CREATE TEMP TRIGGER plan_went AFTER DELETE ON plan BEGIN
    INSERT INTO touched VALUES (ifnull(old.product_reference, '')) ON CONFLICT DO NOTHING;
END;

CREATE TEMP TRIGGER plan_changed AFTER UPDATE ON plan BEGIN
    INSERT INTO touched
        VALUES (ifnull(old.product_reference, '')), (ifnull(new.product_reference, ''))
        ON CONFLICT DO NOTHING;
END;

CREATE TEMP TRIGGER product_came AFTER INSERT ON product BEGIN
    INSERT INTO touched VALUES (new.reference_id) ON CONFLICT DO NOTHING;
END;

CREATE TEMP TRIGGER product_changed AFTER UPDATE ON product
WHEN new.title IS NOT old.title BEGIN
    INSERT INTO touched VALUES (new.reference_id) ON CONFLICT DO NOTHING;
END;
