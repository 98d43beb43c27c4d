-- Channels that publish articles on sites of Ghost and in repositories of git. The ids that such a site gives to posts are
-- texts. The previous release keeps working: it has no channels that publish articles, and shows no channel while there is
-- one of these.

alter table channel drop constraint channel_transport_check;
alter table channel add constraint channel_transport_check
    check (transport in ('webhook', 'mail', 'sms', 'amqp', 'wordpress', 'ghost', 'git'));

-- Id of the post there, as the site last returned it. Null: it has returned none.
alter table post alter column remote_id type text using remote_id::text;
