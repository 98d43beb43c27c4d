//! The notifications of changes: one for each thing, or one for many of an account that were changed in the same way.

use super::{
    Notified, Role, detail,
    phrase::{noun, phrase, thing},
    undo,
};
use crate::{
    reminders::notifications::{moment, new},
    zone::Zone,
};
use domain::{
    Timestamp,
    reminders::{NotificationChoices, NotificationEvent},
};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use store::{announcement::Recipient, notification::NewNotification, owned_change::OwnedChange};
use texts::{Language, mail::owned_change::ChangeWords};
use uuid::Uuid;

/// Number of titles that a notification of many things names.
const MAX_TITLES: usize = 3;
/// Verbs of which an unread notification is enough for an hour: a text is saved again and again.
const REPEATED: [&str; 1] = ["save"];

/// Names that are not in the events.
pub struct Names<'a> {
    /// Accounts that are notified, and new owners.
    pub people: &'a [Recipient],
    /// Rooms.
    pub rooms: &'a HashMap<Uuid, String>,
}

/// Returns the notifications. `unread`: accounts and topics of recent unread ones, which are not repeated.
pub fn compose(
    notified: &[Notified<'_>],
    names: &Names<'_>,
    unread: &HashSet<(Uuid, String)>,
    now: Timestamp,
) -> Vec<NewNotification> {
    let mut all = Vec::new();
    for person in names.people {
        let choices = NotificationChoices::stored(person.notification_choices.as_deref());
        let zone = Zone::stored(&person.time_zone);
        let language = person.language.parse().unwrap_or(Language::En);
        let words = Writer { words: ChangeWords(language), language, zone, names };
        for group in groups(notified.iter().filter(|one| one.to == person.id)) {
            let topic = topic(&group);
            if topic.as_ref().is_some_and(|topic| unread.contains(&(person.id, topic.clone()))) {
                continue;
            }
            let undo = group.undo();
            let made = new(NotificationEvent::Changed, person.id, (&choices, zone), words.text(&group), now);
            all.extend(made.map(|one| NewNotification { topic, undo, ..one }));
        }
    }
    all
}

/// Changes by one account in the same way.
struct Group<'a> {
    /// In their order.
    all: Vec<&'a Notified<'a>>,
    /// The things, each once.
    subjects: Vec<Uuid>,
}

/// Puts together what one account did in the same way, in the order of the first of each.
fn groups<'a>(notified: impl Iterator<Item = &'a Notified<'a>>) -> Vec<Group<'a>> {
    let mut all: Vec<Group<'a>> = Vec::new();
    let mut places: HashMap<(Option<Uuid>, String), usize> = HashMap::new();
    for one in notified {
        let key = (one.change.event.actor_id, phrase(ChangeWords(Language::En), one, ""));
        let place = *places.entry(key).or_insert(all.len());
        if place == all.len() {
            all.push(Group { all: Vec::new(), subjects: Vec::new() });
        }
        if let Some(group) = all.get_mut(place) {
            if !group.subjects.contains(&one.change.subject_id) {
                group.subjects.push(one.change.subject_id);
            }
            group.all.push(one);
        }
    }
    all
}

impl Group<'_> {
    fn undo(&self) -> Option<domain::reminders::NotificationUndo> {
        let last = self.all.last().filter(|_| self.subjects.len() == 1)?;
        undo(last.change)
    }
}

/// What a notification is about, if another one of the same is not needed while it is unread.
fn topic(group: &Group<'_>) -> Option<String> {
    let [only] = group.subjects[..] else { return None };
    let event = &group.all.first()?.change.event;
    let actor = event.actor_id?;
    REPEATED.contains(&event.verb.as_str()).then(|| format!("changed:{}:{only}:{actor}", event.verb))
}

/// Words for one person.
struct Writer<'a> {
    words: ChangeWords,
    language: Language,
    zone: Zone,
    names: &'a Names<'a>,
}

impl Writer<'_> {
    /// Text and link.
    fn text(&self, group: &Group<'_>) -> (String, String) {
        let (Some(first), Some(last)) = (group.all.first(), group.all.last()) else {
            return Default::default();
        };
        let who = first.change.event.actor.as_str();
        if group.subjects.len() > 1 {
            let did = phrase(self.words, first, &self.many(group));
            let link = first.change.event.actor_id.map(|actor| format!("/activity?person={actor}"));
            return (self.words.sentence(who, &did), link.unwrap_or_else(|| "/activity".to_owned()));
        }
        let what = thing(self.words, &last.change.subject_kind, &title(last.change));
        let mut text = self.words.sentence(who, &phrase(self.words, last, &what));
        for line in self.lines(first, last) {
            text.push('\n');
            text.push_str(&line);
        }
        (text, link(last.change))
    }

    /// How many things, and the first titles.
    fn many(&self, group: &Group<'_>) -> String {
        let mut seen = HashSet::new();
        let each: Vec<&OwnedChange> =
            group.all.iter().map(|one| one.change).filter(|change| seen.insert(change.subject_id)).collect();
        let kinds: Vec<&str> = each.iter().map(|change| change.subject_kind.as_str()).collect();
        let titles: Vec<String> =
            each.iter().take(MAX_TITLES).map(|change| self.words.quoted(&title(change))).collect();
        let titles = titles.join(texts::punctuation::list_comma(self.language));
        let titles = match each.len().saturating_sub(MAX_TITLES) {
            0 => titles,
            rest => self.words.listed(&titles, rest),
        };
        self.words.counted(each.len(), noun(self.words, &kinds), &titles)
    }

    /// What was before and what is now.
    fn lines(&self, first: &Notified<'_>, last: &Notified<'_>) -> Vec<String> {
        let (before, now) = (self.value(first.change, true), self.value(last.change, false));
        let mut lines = Vec::new();
        if before != now {
            lines.extend(before.map(|before| self.words.before(&before)));
            lines.extend(now.map(|now| self.words.now(&now)));
        }
        if let Role::Former(Some(new)) = last.role
            && Some(new) != last.change.event.actor_id
        {
            let name = self.names.people.iter().find(|one| one.id == new).map(|one| one.name.as_str());
            lines.extend(name.map(|name| self.words.new_owner(name)));
        }
        lines
    }

    /// What a change has changed: its value before it, or after it. `None`: it has none, or the event does not say.
    fn value(&self, change: &OwnedChange, is_before: bool) -> Option<String> {
        let (event, detail) = (&change.event, detail(change));
        let pick = |before: &str, after: &str| detail.get(if is_before { before } else { after }).cloned();
        let text = |before: &str, after: &str| Some(pick(before, after)?.as_str()?.to_owned());
        match (event.entity.as_str(), event.verb.as_str()) {
            ("task" | "reminder", "cancel") => self.at(&detail, "was_due_at").filter(|_| is_before),
            ("task" | "reminder", _) => self.at(&detail, if is_before { "was_due_at" } else { "due_at" }),
            ("meeting", _) => self.booking(&detail, is_before),
            ("article", "rename") => text("was", "slug"),
            ("article", "save" | "restore") => {
                let number = event.version? - i32::from(is_before);
                Some(self.words.revision(number))
            }
            ("release", "edit") => {
                let name = text("was", "name")?;
                let count: i32 = pick("was_articles", "articles")?.as_i64()?.try_into().ok()?;
                let articles = match count {
                    1 => self.words.one_article().to_owned(),
                    count => self.words.articles(count),
                };
                Some(format!("{}, {articles}", self.words.quoted(&name)))
            }
            ("media", "edit") => text("was_alt", "alt"),
            ("rule", "change") => text("was", "name"),
            ("account", "change_role") => text("was", "role"),
            _ => None,
        }
    }

    fn at(&self, detail: &Value, name: &str) -> Option<String> {
        let at: Timestamp = detail.get(name)?.as_str()?.parse().ok()?;
        Some(moment(self.language, at, self.zone.name()))
    }

    /// Time and room of a meeting where they have changed.
    fn booking(&self, detail: &Value, is_before: bool) -> Option<String> {
        let has = |name: &str| detail.get(name).is_some();
        let of = |name: &str| {
            let was = format!("was_{name}");
            self.at(detail, if is_before && has(&was) { &was } else { name })
        };
        let is_moved = has("was_starts_at") || has("was_ends_at");
        let span = of("starts_at").zip(of("ends_at")).filter(|_| is_moved);
        let span = span.map(|(starts, ends)| self.words.span(&starts, &ends));
        let room = has("was_room_id").then(|| {
            let id = detail.get(if is_before { "was_room_id" } else { "room_id" });
            let id: Option<Uuid> = id.and_then(|id| id.as_str()?.parse().ok());
            let name = id.and_then(|id| self.names.rooms.get(&id)).map(String::as_str);
            name.unwrap_or_else(|| self.words.no_room()).to_owned()
        });
        let parts: Vec<String> = span.into_iter().chain(room).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// The title, or the one that the event of a deletion names.
fn title(change: &OwnedChange) -> String {
    change.title.clone().unwrap_or_else(|| {
        let detail = detail(change);
        let named = detail.get("title").or_else(|| detail.get("name")).and_then(Value::as_str);
        named.unwrap_or_default().to_owned()
    })
}

/// Path of the page where the account sees what has changed.
fn link(change: &OwnedChange) -> String {
    let id = change.subject_id;
    let is_gone = change.title.is_none() || change.event.verb == "delete";
    match change.subject_kind.as_str() {
        "article" if change.title.is_none() => "/articles".to_owned(),
        "article" => format!("/articles/{id}"),
        "meeting" => format!("/meetings/{id}"),
        "series" => "/meetings".to_owned(),
        "reminder" => "/reminders".to_owned(),
        "release" if is_gone => "/releases".to_owned(),
        "release" => format!("/releases/{id}"),
        "rule" if is_gone => "/rules".to_owned(),
        "rule" => format!("/rules/{id}"),
        "wait" => change.part_of_id.map_or_else(|| "/rules".to_owned(), |rule| format!("/rules/{rule}")),
        "message" => format!("/messages/{id}"),
        "media" if is_gone => "/media".to_owned(),
        "media" => format!("/media/{id}"),
        "account" => "/settings/profile".to_owned(),
        _ => format!("/activity?item={id}"),
    }
}
