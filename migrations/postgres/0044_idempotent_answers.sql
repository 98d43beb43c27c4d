-- The answer of a request that takes several transactions, JSON. Null: it has not ended, or its result is a row.
alter table idempotency add column answer text;
