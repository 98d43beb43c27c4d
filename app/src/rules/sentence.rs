//! A rule as one sentence.

use crate::{
    rules::{duration::shown, server_fns::ChannelName, texts::RuleSentenceTexts},
    texts::Language,
};
use domain::rule::{Action, RuleSettings, WaitTime};

/// Returns the sentence: after a signal, wait, then act, unless others came first.
#[must_use]
pub fn sentence(language: Language, rule: &RuleSettings, channels: &[ChannelName]) -> String {
    let texts = RuleSentenceTexts(language);
    let wait = match &rule.wait {
        WaitTime::After(duration) => texts.wait(shown(language, duration)),
        WaitTime::Before { before, field } => texts.until_before(shown(language, before), field.clone()),
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
    texts.sentence(rule.after.clone(), wait, then, unless)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::rule::{DEFAULT_GRACE, Repeat};

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
    }
}
