//! A rule as one sentence.

use crate::rules::{duration::shown, server_fns::ChannelName};
use domain::rule::{Action, RuleSettings, WaitTime};
use texts::{Language, rules::RuleSentenceTexts};

/// Returns the sentence: after a signal, wait, then act, unless others came first.
#[must_use]
pub fn sentence(language: Language, rule: &RuleSettings, channels: &[ChannelName]) -> String {
    let texts = RuleSentenceTexts(language);
    let wait = match &rule.wait {
        WaitTime::After(duration) => texts.wait(shown(language, duration)),
        WaitTime::Before { before, field } => texts.until_before(shown(language, before), field.clone()),
        WaitTime::WorkingDay { next_working_day } => texts.until_working_day(next_working_day.clone()),
    };
    let wait = match &rule.zone {
        Some(zone) if matches!(rule.wait, WaitTime::WorkingDay { .. }) => {
            format!("{wait}{}", texts.in_zone(zone.clone()))
        }
        _ => wait,
    };
    let then = match &rule.action {
        Action::Message { channel_id, .. } => {
            let channel = channels.iter().find(|channel| channel.id == *channel_id);
            texts.message(
                channel.map_or_else(|| texts.no_channel().to_owned(), |channel| channel.name.clone()),
            )
        }
        Action::Reminder { to, .. } => texts.mail(to.clone()),
        Action::Signal { name } => texts.signal(name.clone()),
    };
    let unless = match rule.unless.is_empty() {
        true => String::new(),
        false => texts.unless(rule.unless.join(texts.or())),
    };
    texts.sentence(rule.after.clone(), wait, format!("{then}{}", limits(texts, rule)), unless)
}

/// When the rule does not act, and how often it acts for one subject.
fn limits(texts: RuleSentenceTexts, rule: &RuleSettings) -> String {
    let zone = || rule.zone.clone().map(|zone| texts.in_zone(zone)).unwrap_or_default();
    let quiet = rule.quiet_hours.as_ref();
    let quiet = quiet.map(|hours| texts.outside(hours.from.clone(), hours.to.clone()) + &zone());
    let cap = rule.cap.map(|cap| texts.at_most(cap.times, cap.days));
    [quiet, cap].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{
        rule::{Cap, DEFAULT_GRACE, Repeat},
        rules::hours::QuietHours,
    };

    #[test]
    fn a_rule_reads_as_a_sentence() {
        let rule = RuleSettings {
            name: "Unpaid".to_owned(),
            after: "order.created".to_owned(),
            unless: vec!["order.paid".to_owned(), "order.cancelled".to_owned()],
            wait: WaitTime::After("PT24H".to_owned()),
            subject: None,
            repeat: Repeat::Restart,
            grace: DEFAULT_GRACE.to_owned(),
            zone: None,
            zone_field: None,
            quiet_hours: None,
            cap: None,
            action: Action::Signal { name: "order.unpaid".to_owned() },
        };
        assert_eq!(
            sentence(Language::En, &rule, &[]),
            "After order.created wait 24 h, then emit the signal order.unpaid, unless order.paid or order.cancelled came first."
        );
        let rule = RuleSettings {
            unless: Vec::new(),
            wait: WaitTime::Before { before: "PT2H".to_owned(), field: "ends_at".to_owned() },
            ..rule
        };
        assert_eq!(
            sentence(Language::Zh, &rule, &[]),
            "收到 order.created 后等到 ends_at 前 2 小时，然后发出信号 order.unpaid。"
        );
        let rule = RuleSettings {
            wait: WaitTime::WorkingDay { next_working_day: "09:00".to_owned() },
            zone: Some("Europe/Berlin".to_owned()),
            quiet_hours: Some(QuietHours { from: "22:00".to_owned(), to: "08:00".to_owned() }),
            cap: Some(Cap { times: 3, days: 7 }),
            ..rule
        };
        assert_eq!(
            sentence(Language::En, &rule, &[]),
            "After order.created wait until 09:00 of the next working day (Europe/Berlin), then emit the signal order.unpaid, not between 22:00 and 08:00 (Europe/Berlin), at most 3 times in 7 days for one subject."
        );
        assert_eq!(
            sentence(Language::Zh, &rule, &[]),
            "收到 order.created 后等到下一个工作日 09:00（Europe/Berlin），然后发出信号 order.unpaid，22:00 至 08:00 之间除外（Europe/Berlin），同一主体 7 天内最多 3 次。"
        );
    }
}
