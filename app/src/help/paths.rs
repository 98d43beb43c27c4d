//! Which page has which topic.

/// Topic of paths without one of their own: help itself.
pub const GENERAL: &str = "help";

/// Returns the topic of a page: the last part of `/help/…`. A page without a topic has [`GENERAL`].
#[must_use]
pub fn topic_of(path: &str) -> &'static str {
    let mut parts = path.split('/').filter(|part| !part.is_empty());
    let [first, second, third] = [(); 3].map(|()| parts.next().unwrap_or_default());
    match first {
        "" => "today",
        "quick" => "quick-add",
        "notifications" => "notifications",
        "articles" => topic_of_article(second, third),
        "releases" => "releases",
        "media" => "media",
        "review" => match second {
            "" => "review",
            "link" => "review-link",
            _ => "review-text",
        },
        "calendar" => "calendar",
        "meetings" => match second {
            "" => "meetings",
            "new" => "new-meeting",
            "import" => "meeting-import",
            _ => "meeting",
        },
        "rooms" => "rooms",
        "reminders" => "reminders",
        "messages" => "messages",
        "rules" => "rules",
        "engine" => "engine",
        "tasks" if second.is_empty() => "queue",
        "tasks" => "task",
        "bulk" => "bulk",
        "activity" => "activity",
        "settings" => topic_of_settings(second),
        "login" | "setup" | "invite" => "log-in",
        _ => GENERAL,
    }
}

fn topic_of_article(second: &str, third: &str) -> &'static str {
    match (second, third) {
        ("", _) => "articles",
        ("import", _) => "article-plan",
        (_, "revisions") => "revisions",
        (_, "links") => "links",
        _ => "editor",
    }
}

fn topic_of_settings(page: &str) -> &'static str {
    match page {
        "profile" => "profile",
        "notifications" => "notification-settings",
        "desk" => "desk-settings",
        "site" => "site-settings",
        "tags" => "tags",
        "import" => "import",
        "people" => "people",
        "groups" => "groups",
        "sign-in" => "sign-in",
        "tokens" => "tokens",
        "rooms" => "room-settings",
        "slots" => "posting-slots",
        "feeds" => "feeds",
        "outside-mail" => "outside-mail",
        "queue" => "queue-settings",
        "mail" => "mail-server",
        "review" => "review-settings",
        "words" => "word-lists",
        "channels" => "channels",
        _ => GENERAL,
    }
}
