-- A node can be asked to stop, by a process on any machine. The previous release keeps working: it ignores the request.

-- When `presstime drain` asked the process to stop. Null: it did not.
alter table node add column drain_requested_at integer;
