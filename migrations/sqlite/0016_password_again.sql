-- When the password was last entered in a session, milliseconds: what outlives the session asks for it again. 0: too long ago.
alter table session add column password_at integer not null default 0;
