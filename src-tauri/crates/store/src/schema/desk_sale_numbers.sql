-- A sale is searched for by its transaction without the zeros in front, which a spreadsheet drops. The whole
-- transaction follows, so that the index alone still says of every entry which sale it is.
DROP INDEX submission_sale;
CREATE INDEX submission_sale ON submission
    (origin, ltrim(transaction_id, '0'), transaction_id, product_reference_id, plan_id);
DROP INDEX rescued_sale_transaction;
CREATE INDEX rescued_sale_transaction ON rescued_sale (ltrim(transaction_id, '0'));
