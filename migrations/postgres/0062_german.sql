-- German, a third language of accounts. The previous release keeps working; it does not know the word of those who choose
-- German.
alter table account drop constraint account_language_check;
alter table account add constraint account_language_check check (language in ('en', 'zh', 'de'));
