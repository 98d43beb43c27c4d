//! Every form that comes back with what was typed.

use super::{addresses::Visitor, fixture::Fixture};

/// A refused form: function, page, and fields. `§` stands for the payload.
pub type Form = (&'static str, String, Vec<(&'static str, String)>);

/// Forms before a log-in.
fn strangers_forms(fixture: &Fixture) -> Vec<(Visitor, Form)> {
    let mut forms = vec![
        (Visitor::Stranger, form("log_in", "/login", &[("email", "§"), ("password", "§"), ("next", "/§")])),
        (
            Visitor::Stranger,
            form(
                "log_in",
                "/login",
                &[("email", "§"), ("password", "x"), ("next", "/"), ("pending_form", "§")],
            ),
        ),
        (Visitor::Stranger, form("create_article", "/articles/new", &[("title", "§"), ("body", "§")])),
        (Visitor::Stranger, form("set_up", "/setup?token=x", &SET_UP)),
    ];
    let token = fixture.invitation.split('=').nth(1).unwrap_or_default();
    let long = "§".to_owned() + &"x".repeat(400);
    let accept = [("token", token), ("name", long.as_str()), ("password", "x")];
    forms.push((Visitor::Stranger, form("accept", &fixture.invitation, &accept)));
    forms
}

/// Forms that are refused and shown again, with the payload in every text field.
pub fn forms(fixture: &Fixture) -> Vec<(Visitor, Form)> {
    let mut forms = strangers_forms(fixture);
    let long = "§".to_owned() + &"x".repeat(400);
    let long_about = "§".to_owned() + &"x".repeat(700);
    let (article, task) = (fixture.articles[1].as_str(), fixture.tasks[0].as_str());
    let when = [("date", "§"), ("time", "§"), ("zone", "§"), ("which", "§")];
    let editor = format!("/articles/{article}");
    let text = [&[("id", article), ("title", "§"), ("body", "a § b"), ("seen_revision", "99")][..], &DETAILS]
        .concat();
    let schedule = [&[("article", article), ("kind", "article.publish")][..], &when].concat();
    let moved = [&[("id", task), ("seen", "1")][..], &when].concat();
    let change = [("id", task), ("seen", "1"), ("what", "§")];
    let profile = [("name", long.as_str()), ("zone", "§"), ("language", "en"), ("theme", "auto")];
    let reminder = [&[("text", "§"), ("to", "address"), ("address", "§")][..], &when].concat();
    let of_channel = format!("/settings/channels/{}", fixture.channels[0]);
    let admins = [
        form("rename_tag", "/settings/tags", &[("id", "§"), ("to", long.as_str()), ("merge", "true")]),
        form("create_article", "/articles/new", &[("title", long.as_str()), ("body", "a § b")]),
        form("save_article", &editor, &text),
        form("rename_article", &editor, &[("id", article), ("slug", long.as_str())]),
        form("schedule", &format!("{editor}?view=schedule"), &schedule),
        form("move_task", &format!("/tasks/{task}"), &moved),
        form("move_task", "/tasks", &moved),
        form("change_task", "/tasks?q=§", &change),
        form("retry_group", "/", &[("id", "§"), ("most", "1")]),
        form("dismiss_group", "/", &[("id", "§"), ("most", "1"), ("seen_at", "2027-01-01T00:00:00Z")]),
        form(
            "undo_dismissal",
            "/",
            &[("id", "§"), ("began_at", "2027-01-01T00:00:00Z"), ("ended_at", "2027-01-01T00:00:00Z")],
        ),
        form("act_on_delivery", &of_channel, &[("act", "§")]),
        form("move_group", "/", &[&[("id", "missed:§"), ("most", "1")][..], &when].concat()),
        form("resolve_delivery", &of_channel, &[("id", &fixture.delivery), ("what", "§")]),
        form("change_profile", "/settings/profile", &profile),
        form(
            "save_notification_choices",
            "/settings/notifications",
            &[("went_out[mail]", "§"), ("quiet_from", "§"), ("quiet_until", "§"), ("daily_at", "§")],
        ),
        form("change_author_page", "/settings/profile", &[("about", long_about.as_str()), ("picture", "§")]),
        form("change_password", "/settings/profile", &[("old", "§"), ("password", "x")]),
        form("change_settings", "/settings/desk", &[("title", &long), ("zone", "§"), ("language", "en")]),
        form("invite", "/settings/people", &[("name", &long), ("email", "§"), ("role", "creator")]),
        form("renew_invitation", "/settings/people", &[("id", "§"), ("name", "§")]),
        form("create_feed", "/settings/feeds", &[("what", "§")]),
        form("create_door", "/settings/rooms", &[("id", &fixture.booking[0]), ("pin", "§")]),
        form("create_token", "/settings/tokens", &[("name", &long), ("days", "9"), ("scope", "read")]),
        form("save_reminder", "/reminders", &reminder),
        form("act_on_reminder", "/reminders", &[("act", "§")]),
        form("set_mail_server", "/settings/mail", &MAIL_SERVER),
        form(
            "limit_kind",
            "/settings/queue",
            &[("id", "article.publish"), ("max_concurrency", "§"), ("seen", "1")],
        ),
    ];
    forms.extend(admins.map(|form| (Visitor::Admin, form)));
    forms.extend(site_forms(fixture).into_iter().map(|form| (Visitor::Admin, form)));
    forms.extend(channel_forms(fixture).into_iter().map(|form| (Visitor::Admin, form)));
    forms
}

/// Forms of comments, files, groups, the public site, and reminders about a meeting.
fn site_forms(fixture: &Fixture) -> Vec<Form> {
    let long = "§".to_owned() + &"x".repeat(400);
    let alt = [("id", fixture.picture.as_str()), ("alt", "§"), ("seen_version", "99")];
    let of_review = format!("/review/{}", fixture.articles[0]);
    let comment = [
        ("article", fixture.articles[0].as_str()),
        ("revision", "1"),
        ("paragraph", "99"),
        ("text", "a § b"),
    ];
    let about = [
        ("subject", "meeting"),
        ("about", fixture.booking[1].as_str()),
        ("text", "§"),
        ("address", "§"),
        ("amount", "§"),
        ("unit", "§"),
        ("side", "§"),
        ("anchor", "§"),
    ];
    vec![
        form("remind_about", &format!("/meetings/{}", fixture.booking[1]), &about),
        form("add_comment", &of_review, &comment),
        form("settle_comment", &of_review, &[("id", "§"), ("act", "§")]),
        form("edit_media", &format!("/media/{}", fixture.picture), &alt),
        form("set_media_quota", "/media", &[("quota_mib", "§")]),
        form("create_group", "/settings/groups", &[("name", long.as_str())]),
        form(
            "create_provider",
            "/settings/sign-in",
            &[
                ("issuer", "§"),
                ("form[name]", "§"),
                ("form[client_id]", "§"),
                ("form[scopes]", "§"),
                ("form[provisioning]", "group"),
                ("form[member_group]", "§"),
                ("form[group_claim]", "§"),
                ("form[roles]", "§"),
                ("form[groups]", "§"),
            ],
        ),
        form("save_site_look", "/settings/site", &SITE_LOOK),
        form("keep_site_style", "/settings/site", &[("css", "@import '§'")]),
        form("quick_add", "/quick", &[("title", long.as_str()), ("when", "§"), ("kind", "article")]),
    ]
}

/// Forms of channels, messages and rules.
fn channel_forms(fixture: &Fixture) -> Vec<Form> {
    let long = "§".to_owned() + &"x".repeat(400);
    let when = [("date", "§"), ("time", "§"), ("zone", "§"), ("which", "§")];
    let of_channel = format!("/settings/channels/{}", fixture.channels[0]);
    let channel = [&[("channel[transport]", "webhook")][..], &CHANNEL].concat();
    let mail = [&[("channel[transport]", "mail")][..], &CHANNEL].concat();
    let edit = [&[("id", fixture.channels[0].as_str())][..], &channel].concat();
    let of_rule = format!("/rules/{}", fixture.rule);
    vec![
        form("add_channel", "/settings/channels?add=webhook", &channel),
        form("add_channel", "/settings/channels?add=mail", &mail),
        form("edit_channel", &of_channel, &edit),
        form("create_message", "/messages/new", &[&MESSAGE[..], &when].concat()),
        form("change_messages", "/messages", &[("what", "§"), ("ids[]", "§")]),
        form("acknowledge_notice", "/messages", &[("id", "§")]),
        form("change_message_channel", "/messages", &[("id", "§"), ("channel_id", "§")]),
        form("create_release", "/releases/new", &[("name", &long)]),
        form("create_rule", "/rules/new", &[&[("rule[name]", long.as_str())][..], &RULE].concat()),
        form(
            "edit_rule",
            &of_rule,
            &[
                &[("id", fixture.rule.as_str()), ("seen", "1"), ("waiting", "§"), ("rule[name]", "§")][..],
                &RULE,
            ]
            .concat(),
        ),
        form("delete_rule", &of_rule, &[("id", &fixture.rule), ("waiting", "§")]),
    ]
}

const SET_UP: [(&str, &str); 7] = [
    ("token", "x"),
    ("name", "§"),
    ("email", "§"),
    ("password", "x"),
    ("title", "§"),
    ("zone", "§"),
    ("language", "en"),
];

const DETAILS: [(&str, &str); 10] = [
    ("details[summary]", "§"),
    ("details[tags]", "§"),
    ("details[cover]", "§"),
    ("details[cover_alt]", "§"),
    ("details[cover_caption]", "§"),
    ("details[language]", "§"),
    ("details[canonical]", "§"),
    ("details[translation_of]", "§"),
    ("details[dated]", "§"),
    ("details[template]", "article"),
];

const SITE_LOOK: [(&str, &str); 7] = [
    ("seen", "2"),
    ("description", "§"),
    ("accent", "§"),
    ("footer", "§"),
    ("links", "§"),
    ("navigation", "! §"),
    ("layout", "§"),
];

const MESSAGE: [(&str, &str); 4] = [("channel_id", "§"), ("key", "§"), ("body", "a § b"), ("headers", "§")];

const RULE: [(&str, &str); 12] = [
    ("rule[after]", "§"),
    ("rule[wait]", "§"),
    ("rule[counts]", "before"),
    ("rule[field]", "§"),
    ("rule[action]", "mail"),
    ("rule[channel_id]", ""),
    ("rule[to]", "§"),
    ("rule[text]", "a § b"),
    ("rule[unless]", "§"),
    ("rule[subject]", "§"),
    ("rule[repeat]", "restart"),
    ("rule[grace]", "§"),
];

const MAIL_SERVER: [(&str, &str); 5] = [
    ("mail[host]", "§"),
    ("mail[port]", "§"),
    ("mail[security]", "starttls"),
    ("mail[username]", "§"),
    ("mail[from]", "§"),
];

const CHANNEL: [(&str, &str); 15] = [
    ("channel[name]", "§"),
    ("channel[retry_schedule]", "§"),
    ("channel[on_unknown_outcome]", "retry"),
    ("channel[concurrency]", "1"),
    ("channel[url]", "§"),
    ("channel[host]", "§"),
    ("channel[port]", "§"),
    ("channel[username]", "§"),
    ("channel[from]", "§"),
    ("channel[to]", "§"),
    ("channel[template]", "§"),
    ("channel[header]", "§"),
    ("channel[exchange]", "§"),
    ("channel[routing_key]", "§"),
    ("channel[events][0]", "article.published"),
];

fn form(function: &'static str, page: &str, fields: &[(&'static str, &str)]) -> Form {
    (function, page.to_owned(), fields.iter().map(|(name, value)| (*name, (*value).to_owned())).collect())
}
