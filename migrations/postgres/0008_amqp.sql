-- One way more: messages to an exchange of an AMQP broker.
alter table channel drop constraint channel_way_check;
alter table channel add constraint channel_way_check check (way in ('webhook', 'mail', 'sms', 'amqp'));
