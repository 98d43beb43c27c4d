//! Every page, and every way a text gets onto it: from the database, from the address, from a refused form.

use super::world::World;

/// Who looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visitor {
    /// An admin.
    Admin,
    /// A creator.
    Creator,
    /// A reader, or somebody not logged in.
    Stranger,
}

/// A refused form: the function, the page it stands on, and its fields. `§` stands for the text.
pub type Form = (&'static str, String, Vec<(&'static str, String)>);

/// Pages that show what is stored.
pub fn pages(world: &World) -> Vec<(Visitor, String)> {
    use Visitor::{Admin, Creator, Stranger};
    let mut pages: Vec<(Visitor, String)> = Vec::new();
    for path in ["/", "/articles", "/attention", "/tasks"] {
        pages.push((Creator, path.to_owned()));
    }
    let admins = ["/", "/articles/new", "/attention", "/settings/profile", "/settings/tokens", "/engine"];
    let others = ["/settings/desk", "/settings/people", "/settings/channels", "/nowhere/at-all"];
    for path in admins.into_iter().chain(others) {
        pages.push((Admin, path.to_owned()));
    }
    for id in &world.articles[..4] {
        pages.push((Creator, format!("/articles/{id}")));
    }
    pages.push((Creator, format!("/articles/{}/revisions", world.articles[2])));
    pages.push((Admin, format!("/articles/{}?view=preview", world.articles[1])));
    pages.push((Admin, format!("/articles/{}/revisions?from=1&to=2", world.articles[0])));
    pages.push((Admin, format!("/settings/people?disable={}", world.story.creator.actor.person)));
    for id in &world.tasks {
        pages.push((Creator, format!("/tasks/{id}?changed={id}")));
    }
    for id in &world.channels[1..] {
        pages.push((Admin, format!("/settings/channels/{id}")));
    }
    pages.push((Admin, format!("/settings/channels/{}?delivery={}", world.channels[0], world.delivery)));
    for path in
        ["/login", "/setup?token=x", &world.invitation, "/site", "/site/nothing-here", "/site/public-mk7q"]
    {
        pages.push((Stranger, path.to_owned()));
    }
    pages
}

/// Pages with the text in their address: `§` stands for it. It never is what a search finds.
pub fn queries(world: &World) -> Vec<(Visitor, String)> {
    use Visitor::{Admin, Stranger};
    let task = &world.tasks[0];
    let [channel, article] = [&world.channels[0], &world.articles[1]];
    let mut queries = vec![
        (Stranger, "/login?next=§".to_owned()),
        (Stranger, "/login?next=/§".to_owned()),
        (Stranger, "/setup?token=§".to_owned()),
        (Stranger, "/invite?token=§".to_owned()),
        (Stranger, "/site?after=§".to_owned()),
        (Stranger, "/site/§".to_owned()),
        (Admin, "/nowhere/§".to_owned()),
        (Admin, "/articles/§".to_owned()),
        (Admin, "/tasks/§".to_owned()),
        (Admin, "/articles?q=zzqq§".to_owned()),
        (Admin, "/tasks?q=zzqq§".to_owned()),
        (Admin, "/settings/channels?add=§".to_owned()),
        (Admin, "/settings/people?disable=§".to_owned()),
        (Admin, format!("/settings/channels/{channel}?delivery=§")),
    ];
    let all = "q=zzqq§&state=§&cursor=§&done=§&changed=§&view=§&from=§&to=§&retried=§&refused=§&§=§";
    let deep =
        [format!("/tasks/{task}"), format!("/articles/{article}"), format!("/articles/{article}/revisions")];
    let flat = ["/", "/articles", "/tasks", "/attention"];
    for path in flat.into_iter().chain(deep.iter().map(String::as_str)) {
        queries.push((Admin, format!("{path}?{all}")));
    }
    queries
}

/// Forms that are refused, with the text in every field that takes one: they come back with what was typed.
pub fn forms(world: &World) -> Vec<(Visitor, Form)> {
    let mut forms = vec![
        (Visitor::Stranger, form("log_in", "/login", &[("email", "§"), ("password", "§"), ("next", "/§")])),
        (
            Visitor::Stranger,
            form("log_in", "/login", &[("email", "§"), ("password", "x"), ("next", "/"), ("held", "§")]),
        ),
        (Visitor::Stranger, form("create_article", "/articles/new", &[("title", "§"), ("body", "§")])),
        (Visitor::Stranger, form("set_up", "/setup?token=x", &SET_UP)),
    ];
    let token = world.invitation.split('=').nth(1).unwrap_or_default();
    let long = "§".to_owned() + &"x".repeat(400);
    let accept = [("token", token), ("name", long.as_str()), ("password", "x")];
    forms.push((Visitor::Stranger, form("accept", &world.invitation, &accept)));
    let (article, task) = (world.articles[1].as_str(), world.tasks[0].as_str());
    let when = [("date", "§"), ("time", "§"), ("zone", "§"), ("which", "§")];
    let editor = format!("/articles/{article}");
    let text = [("id", article), ("title", "§"), ("body", "a § b"), ("seen_revision", "99")];
    let schedule = [&[("article", article), ("kind", "article.publish")][..], &when].concat();
    let moved = [&[("id", task), ("seen", "1")][..], &when].concat();
    let change = [("id", task), ("seen", "1"), ("what", "§")];
    let profile = [("name", long.as_str()), ("zone", "§"), ("language", "en"), ("theme", "auto")];
    let channel = [&[("channel[way]", "webhook")][..], &CHANNEL].concat();
    let mail = [&[("channel[way]", "mail")][..], &CHANNEL].concat();
    let edit = [&[("id", world.channels[0].as_str())][..], &channel].concat();
    let of_channel = format!("/settings/channels/{}", world.channels[0]);
    let admins = [
        form("create_article", "/articles/new", &[("title", long.as_str()), ("body", "a § b")]),
        form("save_article", &editor, &text),
        form("rename_article", &editor, &[("id", article), ("slug", long.as_str())]),
        form("schedule", &format!("{editor}?view=moment"), &schedule),
        form("move_task", &format!("/tasks/{task}"), &moved),
        form("move_task", "/tasks", &moved),
        form("change_task", "/tasks?q=§", &change),
        form("retry_group", "/attention", &[("id", "§"), ("most", "1")]),
        form("resolve_delivery", &of_channel, &[("id", &world.delivery), ("what", "§")]),
        form("change_profile", "/settings/profile", &profile),
        form("change_password", "/settings/profile", &[("old", "§"), ("password", "x")]),
        form("change_settings", "/settings/desk", &[("title", &long), ("zone", "§"), ("language", "en")]),
        form("invite", "/settings/people", &[("name", "§"), ("email", "§"), ("role", "creator")]),
        form("create_token", "/settings/tokens", &[("name", &long), ("days", "9"), ("scope", "read")]),
        form("add_channel", "/settings/channels?add=webhook", &channel),
        form("add_channel", "/settings/channels?add=mail", &mail),
        form("edit_channel", &of_channel, &edit),
        form("limit_kind", "/engine", &[("id", "article.publish"), ("at_once", "§"), ("seen", "1")]),
    ];
    forms.extend(admins.map(|form| (Visitor::Admin, form)));
    forms
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

const CHANNEL: [(&str, &str); 15] = [
    ("channel[name]", "§"),
    ("channel[ladder]", "§"),
    ("channel[on_ambiguous]", "retry"),
    ("channel[concurrency]", "1"),
    ("channel[address]", "§"),
    ("channel[server]", "§"),
    ("channel[port]", "§"),
    ("channel[user]", "§"),
    ("channel[from]", "§"),
    ("channel[to]", "§"),
    ("channel[template]", "§"),
    ("channel[header]", "§"),
    ("channel[exchange]", "§"),
    ("channel[key]", "§"),
    ("channel[events][0]", "article.published"),
];

fn form(function: &'static str, page: &str, fields: &[(&'static str, &str)]) -> Form {
    (function, page.to_owned(), fields.iter().map(|(name, value)| (*name, (*value).to_owned())).collect())
}
