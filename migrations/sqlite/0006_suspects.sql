-- What a node began and did not end: a JSON array of [task, version]. Read when the node is lost.
alter table node add column in_flight text not null default '[]';
-- Tasks that were in the hands of nodes that died; every node looks for them each second.
create index task_suspect on task (id) where strikes >= 2 and state = 'scheduled';
