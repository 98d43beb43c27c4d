-- What the last import did to an article, so that the next one leaves alone what people changed since: the number of the revision it
-- wrote, and the moments for which it scheduled (null: it did not).
alter table article add column import_revision integer;
alter table article add column import_due_at integer;
alter table article add column import_expires_at integer;
update article
   set import_revision = (select max(e.version) from event e where e.entity_id = article.id and e.verb = 'import')
 where import_path is not null;
