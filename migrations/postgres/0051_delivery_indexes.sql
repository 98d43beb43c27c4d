-- Indexes of deliveries by their channel: those that are held, which are made pending in batches when the channel
-- is resumed, and those that ended undelivered, which its page counts. The previous release keeps working.
create index delivery_held on delivery (channel_id, id) where state = 'held';
create index delivery_undelivered on delivery (channel_id, ended_at) where state in ('failed', 'unconfirmed');
