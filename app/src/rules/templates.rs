//! Templates of rules.

use crate::rules::{
    duration::shown,
    form_values::{BEFORE_FIELD, FROM_SIGNAL, RuleForm},
};
use texts::{Language, rules::RuleTemplateTexts};

/// A rule to start from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleTemplate {
    /// Value in the URL.
    pub id: &'static str,
    /// Name.
    pub label: &'static str,
    /// What it does.
    pub hint: &'static str,
    /// The filled form.
    pub form: RuleForm,
}

/// Signal, signals that close the wait, wait, and field of the moment (empty: counted from the
/// signal).
type Course = (&'static str, &'static str, &'static str, &'static str);

/// Returns all templates.
#[must_use]
pub fn templates(language: Language) -> Vec<RuleTemplate> {
    let texts = RuleTemplateTexts(language);
    let template = |id, (label, hint, text): (&'static str, &'static str, &'static str), course: Course| {
        RuleTemplate { id, label, hint, form: filled(language, id, (label, text), course) }
    };
    vec![
        template(
            "unpaid",
            (texts.unpaid(), texts.unpaid_hint(), texts.unpaid_text()),
            ("order.created", "order.paid\norder.cancelled", "PT24H", ""),
        ),
        template(
            "coupon",
            (texts.coupon(), texts.coupon_hint(), texts.coupon_text()),
            ("coupon.issued", "coupon.used", "PT2H", "expires_at"),
        ),
        template(
            "activity",
            (texts.activity(), texts.activity_hint(), texts.activity_text()),
            ("activity.joined", "activity.finished", "PT2H", "ends_at"),
        ),
        template(
            "top-up",
            (texts.top_up(), texts.top_up_hint(), texts.top_up_text()),
            ("top_up.clicked", "top_up.paid", "PT30M", ""),
        ),
        template(
            "reading",
            (texts.reading(), texts.reading_hint(), texts.reading_text()),
            ("reading.stopped", "", "PT2H", ""),
        ),
        template(
            "welcome",
            (texts.welcome(), texts.welcome_hint(), texts.welcome_text()),
            ("user.signed_up", "user.returned", "PT30M", ""),
        ),
        template(
            "review",
            (texts.reviewed(), texts.reviewed_hint(), texts.reviewed_text()),
            ("article.published", "article.unpublished", "P7D", ""),
        ),
    ]
}

/// The form of a template.
fn filled(language: Language, id: &str, (label, text): (&str, &str), course: Course) -> RuleForm {
    let (after, unless, wait, field) = course;
    let counts = if field.is_empty() { FROM_SIGNAL } else { BEFORE_FIELD };
    let to = match id {
        "unpaid" => "",
        "review" => "{{data.author_email}}",
        _ => "{{data.email}}",
    };
    RuleForm {
        name: label.to_owned(),
        after: after.to_owned(),
        unless: unless.to_owned(),
        wait: shown(language, wait),
        counts: counts.to_owned(),
        field: field.to_owned(),
        action: if to.is_empty() { "message" } else { "mail" }.to_owned(),
        text: text.to_owned(),
        to: to.to_owned(),
        ..RuleForm::empty(language)
    }
}

/// Returns the form of a template; that of an empty rule for another id.
#[must_use]
pub fn form_of(language: Language, id: Option<&str>) -> RuleForm {
    let found = templates(language).into_iter().find(|template| Some(template.id) == id);
    found.map_or_else(|| RuleForm::empty(language), |template| template.form)
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;

    #[test]
    fn each_template_is_a_rule_but_for_its_channel() {
        for language in Language::ALL.iter().copied() {
            let all = templates(language);
            assert_eq!(all.len(), 7);
            for template in all {
                let channel_id = domain::ChannelId::generate().to_string();
                let rule = RuleForm { channel_id, ..template.form }.read(None).unwrap();
                assert!(!rule.unless.contains(&rule.after), "{}", template.id);
            }
        }
    }
}
