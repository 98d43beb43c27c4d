//! Words of rules, messages and channels.

use super::words;

words! {
    "rule": rule, rule_meaning, rule_example;
    "signal": signal, signal_meaning, signal_example;
    "subject": subject, subject_meaning, subject_example;
    "wait": wait, wait_meaning, wait_example;
    "template": template, template_meaning, template_example;
    "quiet-hours": quiet_hours, quiet_hours_meaning, quiet_hours_example;
    "cap": cap, cap_meaning, cap_example;
    "message": message, message_meaning, message_example;
    "notice": notice, notice_meaning, notice_example;
    "channel": channel, channel_meaning, channel_example;
    "webhook": webhook, webhook_meaning, webhook_example;
    "delivery": delivery, delivery_meaning, delivery_example;
    "attempt": attempt, attempt_meaning, attempt_example;
    "retry": retry, retry_meaning, retry_example;
    "unconfirmed": unconfirmed, unconfirmed_meaning, unconfirmed_example;
    "outside-address": outside_address, outside_address_meaning, outside_address_example;
    "feed": feed, feed_meaning, feed_example;
    "token": token, token_meaning, token_example;
}
