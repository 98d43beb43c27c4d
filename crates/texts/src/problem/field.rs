//! Names of fields and of entities.

use crate::Language;
use crate::problem::meeting::meeting_field;

sets!(problem: FieldTexts, NounTexts);

/// Name of a field in the user interface. `None`: the problem is shown without a name.
#[must_use]
pub fn field_name(language: Language, field: &str) -> Option<&str> {
    let texts = FieldTexts(language);
    Some(match field.rsplit('.').next().unwrap_or_default() {
        // The sentence about a cursor is whole.
        "form" | "cursor" | "" => return None,
        "title" => texts.title(),
        "body" => texts.body(),
        "slug" => texts.slug(),
        "email" => texts.email(),
        "password" => texts.password(),
        "code" => texts.code(),
        "passkey" => texts.passkey(),
        "old" => texts.old(),
        "name" => texts.name(),
        "zone" => texts.zone(),
        "text" => texts.text(),
        "local" | "due_at" | "time" | "when" => texts.local(),
        "date" | "day" if field != "rule.day" => texts.date(),
        "change" => texts.change(),
        "reach" => texts.reach(),
        "url" => texts.url(),
        "host" => texts.host(),
        "port" => texts.port(),
        "security" => texts.security(),
        "username" => texts.username(),
        "from" => texts.from(),
        "to" => texts.to(),
        "template" => texts.template(),
        "header" => texts.header(),
        "secret" => texts.secret(),
        "transport" => texts.transport(),
        "exchange" => texts.exchange(),
        "routing_key" => texts.routing_key(),
        "retry_schedule" => texts.retry_schedule(),
        "events" => texts.events(),
        "q" => texts.q(),
        "description" => texts.description(),
        "accent" => texts.accent(),
        "footer" => texts.footer(),
        "links" => texts.links(),
        "navigation" => texts.navigation(),
        "summary" => texts.summary(),
        "tags" => texts.tags(),
        "css" => texts.css(),
        "logo" => texts.logo(),
        "favicon" => texts.favicon(),
        "about" => texts.about(),
        "picture" => texts.picture(),
        "authors" => texts.authors(),
        "table" => texts.table(),
        other => match meeting_field(language, field)
            .or_else(|| meeting_field(language, other))
            .or_else(|| detail_field(texts, other))
            .or_else(|| further_field(texts, other))
        {
            Some(name) => name,
            // A field of programs, which no page has.
            None => return Some(field),
        },
    })
}

/// Details of an article.
fn detail_field(texts: FieldTexts, field: &str) -> Option<&'static str> {
    Some(match field {
        "cover" => texts.cover(),
        "cover_alt" => texts.cover_alt(),
        "cover_caption" => texts.cover_caption(),
        "canonical" => texts.canonical(),
        "translation_of" => texts.translation_of(),
        "dated" => texts.dated(),
        _ => return None,
    })
}

/// Fields of lists, settings, rules, files and reviews.
fn further_field(texts: FieldTexts, field: &str) -> Option<&'static str> {
    Some(match field {
        "items" | "item" | "list" => texts.items(),
        "ids" => texts.ids(),
        "groups" => texts.groups(),
        "members" => texts.members(),
        "act" | "action" | "what" | "decision" => texts.act(),
        "amount" => texts.amount(),
        "count" => texts.count(),
        "kind" | "type" => texts.kind(),
        "language" => texts.language(),
        "layout" => texts.layout(),
        "views" => texts.views(),
        "concurrency" | "max_concurrency" => texts.concurrency(),
        "grace" | "grace_ms" => texts.grace(),
        "quota_mib" => texts.quota_mib(),
        "priority" => texts.priority(),
        "rate_per" => texts.rate_per(),
        "channel" | "channel_id" => texts.channel(),
        "account_id" => texts.account_id(),
        "article_id" | "target_id" => texts.article_id(),
        "headers" => texts.headers(),
        "key" => texts.key(),
        "data" => texts.data(),
        "after" | "signal" => texts.after(),
        "unless" => texts.unless(),
        "wait" | "before" | "delay" => texts.wait(),
        "waiting" => texts.waiting(),
        "field" | "zone_field" => texts.field(),
        "subject" => texts.subject(),
        "repeat" => texts.repeat(),
        "quiet_from" | "quiet_to" | "quiet_until" => texts.quiet_from(),
        "file" | "files" => texts.file(),
        "alt" => texts.alt(),
        "revision" => texts.revision(),
        "reviewers" | "escalate_to" => texts.reviewers(),
        "holidays" => texts.holidays(),
        "slot" => texts.slot(),
        "pin" => texts.pin(),
        "site" => texts.site(),
        "system" => texts.system(),
        _ => return None,
    })
}

/// Name of an entity inside a sentence.
#[must_use]
pub fn noun(language: Language, what: &str) -> &str {
    let texts = NounTexts(language);
    match what {
        "task" => texts.task(),
        "article" => texts.article(),
        "file" => texts.file(),
        "revision" => texts.revision(),
        "comment" => texts.comment(),
        "account" => texts.account(),
        "invitation" => texts.invitation(),
        "page" => texts.page(),
        "channel" => texts.channel(),
        "delivery" => texts.delivery(),
        "reminder" => texts.reminder(),
        "message" => texts.message(),
        "notice" => texts.notice(),
        "rule" => texts.rule(),
        "release" => texts.release(),
        "wait" => texts.wait(),
        "kind" => texts.kind(),
        "link" => texts.link(),
        "e-mail" => texts.e_mail(),
        "slug" => texts.slug(),
        "word list" => texts.word_list(),
        "view" => texts.view(),
        "name" => texts.name(),
        "session" => texts.session(),
        "group" => texts.group(),
        "provider" => texts.provider(),
        "device" => texts.device(),
        "token" => texts.token(),
        "meeting" => texts.meeting(),
        "room" => texts.room(),
        "tag" => texts.tag(),
        "room name" => texts.room_name(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use crate::problem::field::{Language, field_name};

    #[test]
    fn fields_of_pages_have_no_names_of_programs() {
        let fields = [
            "grace_ms",
            "max_concurrency",
            "concurrency",
            "rate",
            "rate_per",
            "items",
            "ids",
            "channel_id",
            "action.channel_id",
            "quota_mib",
            "target_id",
            "article_id",
            "quiet_from",
            "zone_field",
            "waiting",
            "escalate_to",
            "what",
            "amqp.headers",
            "room_id",
            "cap_times",
            "wait.before",
            "retry_schedule",
        ];
        for field in fields {
            let [en, zh, de] = [Language::En, Language::Zh, Language::De]
                .map(|language| field_name(language, field).unwrap());
            assert!(
                en.starts_with("The ") && !en.contains('_') && !zh.is_ascii() && de != en,
                "{field}: {en} {zh} {de}"
            );
        }
    }

    #[test]
    fn the_fields_of_a_series_and_of_quick_add_have_names_in_all_languages() {
        const RULE: [&str; 8] =
            ["frequency", "interval", "weekdays", "day", "nth", "month", "until", "count"];
        for field in RULE.map(|field| format!("rule.{field}")).iter().map(String::as_str).chain(["when"]) {
            let [en, zh, de] = [Language::En, Language::Zh, Language::De]
                .map(|language| field_name(language, field).unwrap());
            assert!(en.starts_with("The ") && !zh.is_ascii() && de != en, "{field}: {en} {zh} {de}");
        }
    }
}
