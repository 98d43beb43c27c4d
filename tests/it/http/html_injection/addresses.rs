//! Every page with stored texts or with a text of the URL.

use super::fixture::Fixture;
use presstime::senders::stop_link;

/// The user of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visitor {
    /// An admin.
    Admin,
    /// A creator.
    Creator,
    /// A reader or an anonymous client.
    Stranger,
}

/// Pages that an admin opens.
const ADMIN_PAGES: [&str; 37] = [
    "/articles/import",
    "/media",
    "/settings/import",
    "/settings/site",
    "/settings/tags",
    "/",
    "/articles/new",
    "/settings/profile",
    "/settings/notifications",
    "/settings/tokens",
    "/settings/feeds",
    "/engine",
    "/settings/desk",
    "/settings/people",
    "/settings/groups",
    "/settings/sign-in",
    "/settings/channels",
    "/settings/rooms",
    "/settings/slots",
    "/calendar?view=week",
    "/calendar?view=day",
    "/calendar?view=agenda",
    "/styleguide",
    "/review",
    "/meetings/new",
    "/meetings/import",
    "/reminders",
    "/notifications",
    "/activity",
    "/help",
    "/help/calendar",
    "/settings/mail",
    "/settings/outside-mail",
    "/settings/queue",
    "/nowhere/at-all",
    "/settings/review",
    "/settings/words",
];

/// Pages that show stored texts.
pub fn pages(fixture: &Fixture) -> Vec<(Visitor, String)> {
    use Visitor::{Admin, Creator, Stranger};
    let mut pages: Vec<(Visitor, String)> = Vec::new();
    for path in ["/", "/quick", "/articles", "/tasks", "/meetings", "/rooms", "/calendar"] {
        pages.push((Creator, path.to_owned()));
    }
    for path in ADMIN_PAGES {
        pages.push((Admin, path.to_owned()));
    }
    for id in &fixture.articles[..4] {
        pages.push((Creator, format!("/articles/{id}")));
    }
    pages.push((Creator, format!("/articles/{}/revisions", fixture.articles[2])));
    pages.push((Creator, format!("/articles/{}/links", fixture.articles[2])));
    pages.push((Admin, format!("/articles/{}?view=preview", fixture.articles[1])));
    pages.push((Admin, format!("/articles/{}/revisions?from=1&to=2", fixture.articles[0])));
    pages.push((Admin, format!("/settings/people?disable={}", fixture.server.creator.actor.account)));
    pages.push((Admin, format!("/media/{}", fixture.picture)));
    let [room, meeting] = &fixture.booking;
    pages.push((Admin, format!("/rooms/{room}")));
    pages.push((Admin, format!("/meetings/{meeting}")));
    let (message, rule) = (&fixture.message, &fixture.rule);
    for path in ["/settings/site/preview", "/messages", "/messages/new", "/rules", "/rules/new"] {
        pages.push((Admin, path.to_owned()));
    }
    for path in ["/releases", "/releases/new", &*format!("/releases/{}", fixture.release)] {
        pages.push((Admin, path.to_owned()));
    }
    pages.push((Admin, format!("/review/{}", fixture.articles[0])));
    pages.extend([&fixture.review_link, &fixture.door].map(|path| (Stranger, path.clone())));
    pages.push((Stranger, fixture.answer.clone()));
    pages.push((Stranger, fixture.answer.replace("/answer/", "/check-in/")));
    pages.push((Stranger, stop_mail(fixture)));
    pages.push((Admin, format!("/settings/words/{}", fixture.words)));
    pages.extend([format!("/messages/{message}"), format!("/rules/{rule}")].map(|path| (Admin, path)));
    pages.push((Admin, format!("/rules/{rule}?days=7&signal=order.created&about=Customer")));
    for id in &fixture.tasks {
        pages.push((Creator, format!("/tasks/{id}?changed={id}")));
        pages.push((Creator, format!("/bulk?ids={id}&change=shift&amount=1&unit=days")));
    }
    for id in &fixture.channels[1..] {
        pages.push((Admin, format!("/settings/channels/{id}")));
        pages.push((Admin, format!("/settings/channels/{id}?tab=settings")));
    }
    pages.push((Admin, format!("/settings/channels/{}?delivery={}", fixture.channels[0], fixture.delivery)));
    pages.push((Stranger, "/site/author/creator".to_owned()));
    for path in [
        "/login",
        "/setup?token=x",
        &fixture.invitation,
        "/site",
        "/site/nothing-here",
        "/site/public-mk7q",
        "/site/tag/nothing",
        "/site/tag/tag%20mk7q",
        "/site/archive/all",
    ] {
        pages.push((Stranger, path.to_owned()));
    }
    pages
}

/// The page on which a recipient of a channel asks for no more mail.
fn stop_mail(fixture: &Fixture) -> String {
    let vault = &fixture.server.app.parts.senders.vault;
    stop_link::path_of_channel(vault, fixture.channels[0].parse().unwrap())
}

/// Pages with the payload in their URL: `§` stands for it. No search finds it.
pub fn queries(fixture: &Fixture) -> Vec<(Visitor, String)> {
    use Visitor::{Admin, Stranger};
    let task = &fixture.tasks[0];
    let [channel, article] = [&fixture.channels[0], &fixture.articles[1]];
    let mut queries = vec![
        (Stranger, "/login?next=§".to_owned()),
        (Stranger, "/login?next=/§".to_owned()),
        (Stranger, "/setup?token=§".to_owned()),
        (Stranger, "/invite?token=§".to_owned()),
        (Stranger, "/site?after=§".to_owned()),
        (Admin, "/media?q=§".to_owned()),
        (Admin, "/activity?person=§&§=§".to_owned()),
        (Admin, "/activity?item=§".to_owned()),
        (Admin, "/activity?cursor=§".to_owned()),
        (Admin, "/help?q=zzqq§".to_owned()),
        (Admin, "/help/§".to_owned()),
        (Admin, "/help/for?path=/zzqq§".to_owned()),
        (Stranger, "/site?q=§".to_owned()),
        (Stranger, "/site/§".to_owned()),
        (Admin, "/nowhere/§".to_owned()),
        (Admin, "/articles/§".to_owned()),
        (Admin, "/tasks/§".to_owned()),
        (Admin, "/meetings/§".to_owned()),
        (Admin, "/rooms/§".to_owned()),
        (Admin, "/review/§".to_owned()),
        (Stranger, "/review/link/§".to_owned()),
        (Stranger, "/answer/§".to_owned()),
        (Stranger, "/check-in/§".to_owned()),
        (Stranger, "/stop-mail/§".to_owned()),
        (Stranger, format!("/rooms/{}/door?key=§", fixture.booking[0])),
        (Admin, "/settings/words/§".to_owned()),
        (Admin, "/settings/words?test=§".to_owned()),
        (Admin, "/meetings?q=zzqq§&scope=§&cursor=§".to_owned()),
        (Admin, "/reminders?q=zzqq§&state=§&day=§&edit=§&done=reminder-set.§.§".to_owned()),
        (Admin, "/settings/profile?find=zzqq§".to_owned()),
        (Admin, "/meetings/new?title=§&room=§&date=§&from=§&to=§".to_owned()),
        (Admin, "/messages?q=zzqq§&state=§&cursor=§&done=messages-§".to_owned()),
        (Admin, "/messages/§".to_owned()),
        (Admin, "/messages/new?channel=§".to_owned()),
        (Admin, format!("/releases/{}?q=zzqq§", fixture.release)),
        (Admin, "/releases/§".to_owned()),
        (Admin, "/rules/§".to_owned()),
        (Admin, "/rules?done=§".to_owned()),
        (Admin, "/rules/new?template=§".to_owned()),
        (Admin, format!("/rules/{}?q=zzqq§&state=§&signal=§&about=§&key=§&data=§&days=§", fixture.rule)),
        (Admin, "/articles?q=zzqq§".to_owned()),
        (Admin, "/tasks?q=zzqq§".to_owned()),
        (Admin, "/quick?title=§&when=§&kind=§".to_owned()),
        (Admin, "/bulk?all=1&q=zzqq§&change=cancel&amount=§&unit=§&day=§".to_owned()),
        (Admin, "/settings/channels?add=§".to_owned()),
        (Admin, "/settings/people?disable=§".to_owned()),
        (Admin, format!("/settings/channels/{channel}?delivery=§")),
    ];
    let all = "q=zzqq§&state=§&cursor=§&done=§&changed=§&view=§&from=§&to=§&retried=§&refused=§&§=§";
    let deep =
        [format!("/tasks/{task}"), format!("/articles/{article}"), format!("/articles/{article}/revisions")];
    let flat = ["/", "/articles", "/tasks"];
    for path in flat.into_iter().chain(deep.iter().map(String::as_str)) {
        queries.push((Admin, format!("{path}?{all}")));
    }
    queries
}
