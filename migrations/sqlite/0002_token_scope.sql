-- What a token opens. Those made before could change everything their owner may.
alter table token add column scope text not null default 'write' check (scope in ('read', 'write'));
