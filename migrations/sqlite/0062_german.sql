-- German, a third language of accounts. SQLite cannot change the check of a column, and the table is referenced by most others, so
-- the column is replaced, not the table: a copy takes its place under its name. The previous release keeps working; it does
-- not know the word of those who choose German.
alter table account add column new_language text not null default 'en' check (new_language in ('en', 'zh', 'de'));
update account set new_language = language;
alter table account drop column language;
alter table account rename column new_language to language;
