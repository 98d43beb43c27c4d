-- The promise sheet: what the audits of all nodes found, over all restarts. One row; none before the first audit.
create table promise_sheet (
    id            integer primary key check (id = 1),
    -- What was executed from then on ...
    since         integer not null,
    -- ... to just before then was audited. Who moves it forward has audited what lies between, and adds what was found.
    audited_until integer not null,
    audited_at    integer,
    -- The newest line of the log at the last audit.
    audited_seq   integer not null default 0,
    -- A clock was set back: what was executed before turned_until, and stands in the log up to turned_seq, is counted already.
    turned_until  integer not null default 0,
    turned_seq    integer not null default 0,
    audited       integer not null default 0 check (audited >= 0),
    lost          integer not null default 0 check (lost >= 0),
    early         integer not null default 0 check (early >= 0),
    twice         integer not null default 0 check (twice >= 0),
    -- How often no node that ran looked for what is overdue for more than 5 s, when that last ended, and the longest time.
    blind         integer not null default 0 check (blind >= 0),
    blind_at      integer,
    longest_ms    integer not null default 0 check (longest_ms >= 0),
    check ((blind = 0) = (blind_at is null))
) strict;
-- When it last looked for what is overdue, by the database's clock.
alter table node add column looked_at integer;
