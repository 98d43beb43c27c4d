-- Whether keys without a modifier are shortcuts for this user.
alter table account add column has_shortcuts integer not null default 1 check (has_shortcuts in (0, 1));

-- The admin who paused the channel. Null: it is not paused, or was paused by an earlier release.
alter table channel add column paused_by blob;
