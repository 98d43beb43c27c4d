-- What Attention reads of meetings: requests whose deadline is close or that an admin must decide, and rooms
-- that were released while their meeting would still take place.
create index meeting_deciding on meeting (decide_at) where state = 'requested';
create index meeting_held on meeting (id) where is_held = 1;
create index meeting_released on meeting (ends_at) where state = 'released';
