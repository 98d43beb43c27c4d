-- The promise sheet: what the audits of all nodes found, over all restarts. One row; none before the first audit.
create table promise_sheet (
    id            integer primary key check (id = 1),
    -- What was executed from then on ...
    since         bigint not null,
    -- ... to just before then was audited. Who moves it forward has audited what lies between, and adds what was found.
    audited_until bigint not null,
    audited_at    bigint,
    -- The newest line of the log at the last audit.
    audited_seq   bigint not null default 0,
    -- A clock was set back: what was executed before turned_until, and stands in the log up to turned_seq, is counted already.
    turned_until  bigint not null default 0,
    turned_seq    bigint not null default 0,
    audited       bigint not null default 0 check (audited >= 0),
    lost          bigint not null default 0 check (lost >= 0),
    early         bigint not null default 0 check (early >= 0),
    twice         bigint not null default 0 check (twice >= 0),
    -- How often no node that ran looked for what is overdue for more than 5 s, when that last ended, and the longest time.
    blind         bigint not null default 0 check (blind >= 0),
    blind_at      bigint,
    longest_ms    bigint not null default 0 check (longest_ms >= 0),
    check ((blind = 0) = (blind_at is null))
);
-- When it last looked for what is overdue, by the database's clock.
alter table node add column looked_at bigint;
