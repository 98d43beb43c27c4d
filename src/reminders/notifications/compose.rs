//! Who is notified of what was read in the log and in the schedule, and in which words.

use super::{moment, new};
use crate::{kinds::article_words::UNPUBLISH, zone::Zone};
use domain::{
    Timestamp, Version,
    attention::AttentionCause,
    meetings::MeetingState,
    releases::PUBLISH_KIND as RELEASE,
    reminders::{NotificationChoices, NotificationEvent, NotificationUndo, UndoneThing},
    task::reason::{NOT_APPROVED, WORDS_APPROVAL},
};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use store::{
    announcement::{Announced, ChangedMeeting, Recipient},
    approver::ApproverRow,
    notification::NewNotification,
    session::AccessEvent,
};
use texts::{Language, mail::announcement::AnnouncementWords, meetings::MeetingSentenceTexts};
use uuid::Uuid;

/// Up to this many things of one account and event in one round have a notification each.
const MAX_SINGLE: usize = 3;

/// The page on which an account changes its password and sees its sessions.
const PROFILE: &str = "/settings/profile";
const TOKENS: &str = "/settings/tokens";

/// What was read in one round.
#[derive(Default)]
pub struct Read {
    /// Tasks that were executed, failed or missed.
    pub outcomes: Vec<Announced>,
    /// Tasks that unpublish soon.
    pub expiring: Vec<Announced>,
    /// Meetings whose state was changed, in the order of the log.
    pub meetings: Vec<ChangedMeeting>,
    /// What accounts did with their own access.
    pub access: Vec<AccessEvent>,
    /// Accounts that changed a series, each with the owner, who is notified of that.
    pub series: HashSet<(Uuid, Uuid)>,
    /// Who decides of requests; not read if there are none.
    pub approvers: Vec<ApproverRow>,
}

/// Something that an account is notified of.
pub struct Found<'a> {
    event: NotificationEvent,
    /// The account.
    pub account: Uuid,
    what: What<'a>,
}

enum What<'a> {
    Task(&'a Announced),
    Meeting(&'a ChangedMeeting, News),
    Access(&'a AccessEvent),
}

/// What happened to a meeting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum News {
    /// It waits for an approval, of which its organizer knows unless another account made it wait again.
    Requested,
    /// It takes place.
    Confirmed,
    Rejected,
    /// The request was not decided in time.
    Expired,
    /// It did not get the room that it waited for.
    NoRoom,
    Cancelled,
    /// No user checked in.
    Released,
}

impl News {
    const ALL: [Self; 7] = [
        Self::Requested,
        Self::Confirmed,
        Self::Rejected,
        Self::Expired,
        Self::NoRoom,
        Self::Cancelled,
        Self::Released,
    ];

    /// `None`: no one is notified of it, or it was changed again since.
    fn of(meeting: &ChangedMeeting) -> Option<Self> {
        use MeetingState::{
            Cancelled, Confirmed, Ended, Expired, InProgress, Offered, Rejected, Released, Requested,
        };
        let state = |text: &str| text.parse::<MeetingState>().ok();
        let (to, current) = (state(&meeting.state)?, state(&meeting.current)?);
        let from = meeting.from_state.as_deref().and_then(state);
        let is_on = to == Confirmed && matches!(current, InProgress | Ended);
        if to != current && !is_on {
            return None;
        }
        Some(match (from, to) {
            (_, Requested) => Self::Requested,
            (Some(Requested | Rejected | Expired | Cancelled | Released), Confirmed) => Self::Confirmed,
            // The organizer knows what it has accepted itself.
            (Some(Offered), Confirmed) if meeting.is_by_other() => Self::Confirmed,
            (Some(from), Expired) if from.is_on_waiting_list() => Self::NoRoom,
            (_, Rejected) => Self::Rejected,
            (_, Expired) => Self::Expired,
            (_, Cancelled) => Self::Cancelled,
            (_, Released) => Self::Released,
            _ => return None,
        })
    }
}

impl What<'_> {
    /// Whether another account has done it now, of which the owner is notified as a change.
    fn is_notified_as_change(&self) -> bool {
        matches!(self, Self::Task(task) if task.state == "executed" && task.done_by.is_some_and(|by| by != task.owner_id))
    }

    /// What reverts it, for the organizer.
    fn undo(&self, account: Uuid) -> Option<NotificationUndo> {
        let Self::Meeting(meeting, _) = self else { return None };
        let version = meeting.version.filter(|_| meeting.is_by_other() && meeting.organizer_id == account)?;
        Some(NotificationUndo { thing: UndoneThing::Meeting, id: meeting.id, version: Version(version) })
    }

    fn title(&self) -> &str {
        match self {
            Self::Task(task) => &task.title,
            Self::Meeting(meeting, _) => &meeting.title,
            Self::Access(_) => "",
        }
    }
}

impl Read {
    /// Whether a meeting waits for an approval.
    pub fn has_requests(&self) -> bool {
        self.meetings.iter().any(|meeting| News::of(meeting) == Some(News::Requested))
    }

    /// Who is notified of what: owners of their tasks, those who decide of requests, and organizers of what others did
    /// with their meetings. Of a meeting only the last change counts.
    pub fn found<'a>(&'a self) -> Vec<Found<'a>> {
        let of_task =
            |event, task: &'a Announced| Found { event, account: task.owner_id, what: What::Task(task) };
        let mut found: Vec<Found<'_>> =
            self.outcomes.iter().filter_map(|task| Some(of_task(event_of(task)?, task))).collect();
        found.extend(self.expiring.iter().map(|task| of_task(NotificationEvent::ExpiresSoon, task)));
        let of_access = |one: &'a AccessEvent| (one.account_id, What::Access(one));
        let access = self.access.iter().map(of_access);
        found.extend(access.map(|(account, what)| Found { event: NotificationEvent::Access, account, what }));
        let mut seen = HashSet::new();
        let last = self.meetings.iter().rev().filter(|meeting| seen.insert(meeting.id));
        let news: Vec<_> = last.filter_map(|meeting| Some((meeting, News::of(meeting)?))).collect();
        for (meeting, news) in news.into_iter().rev() {
            let of_meeting = |event, account| Found { event, account, what: What::Meeting(meeting, news) };
            let organizer = meeting.organizer_id;
            if news == News::Requested {
                let knows = |one: &&ApproverRow| one.id == organizer || Some(one.id) == meeting.actor_id;
                let deciding = self.approvers.iter().filter(|one| !knows(one));
                found.extend(deciding.map(|one| of_meeting(NotificationEvent::Approval, one.id)));
            }
            // A request that the engine books for a series is expected.
            let is_expected = news == News::Requested && meeting.actor_id.is_none();
            let is_of_series = meeting.series_id.is_some()
                && meeting.actor_id.is_some_and(|actor| self.series.contains(&(actor, organizer)));
            if meeting.actor_id != Some(organizer) && !is_expected && !is_of_series {
                found.push(of_meeting(NotificationEvent::Decided, organizer));
            }
        }
        found
    }
}

/// What the owner of a task is notified of; `None`: nothing, because the owner has just done it.
fn event_of(task: &Announced) -> Option<NotificationEvent> {
    match task.state.as_str() {
        "failed" => Some(NotificationEvent::Failed),
        "missed" => Some(NotificationEvent::Missed),
        _ if task.done_by == Some(task.owner_id) => None,
        _ => Some(NotificationEvent::WentOut),
    }
}

/// The notifications of what was found, in its order: up to three of an account and event one each, more in one.
pub fn compose(found: &[Found<'_>], recipients: &[Recipient], now: Timestamp) -> Vec<NewNotification> {
    let mut by_account: HashMap<Uuid, Vec<&Found<'_>>> = HashMap::new();
    for one in found {
        by_account.entry(one.account).or_default().push(one);
    }
    let mut all = Vec::new();
    for recipient in recipients {
        let choices = NotificationChoices::stored(recipient.notification_choices.as_deref());
        let zone = Zone::stored(&recipient.time_zone);
        let words = Words(recipient.language.parse().unwrap_or(Language::En), zone);
        let mut by_event: HashMap<NotificationEvent, Vec<&What<'_>>> = HashMap::new();
        for one in by_account.get(&recipient.id).into_iter().flatten() {
            if !(one.what.is_notified_as_change() && choices.changed.is_on()) {
                by_event.entry(one.event).or_default().push(&one.what);
            }
        }
        for event in NotificationEvent::ALL {
            let Some(things) = by_event.get(event) else { continue };
            let texts = match things.as_slice() {
                [.., last] if things.len() > MAX_SINGLE => {
                    vec![(words.many(*event, things, last.title()), None)]
                }
                all => all.iter().map(|what| (words.one(*event, what), what.undo(recipient.id))).collect(),
            };
            let one = |(text, undo)| {
                let made = new(*event, recipient.id, (&choices, zone), text, now)?;
                // Of many things, each notification has others.
                let topic = made.topic.filter(|_| things.len() <= MAX_SINGLE);
                Some(NewNotification { undo, topic, ..made })
            };
            all.extend(texts.into_iter().filter_map(one));
        }
    }
    all
}

/// Text and link of a notification.
struct Words(Language, Zone);

impl Words {
    fn one(&self, event: NotificationEvent, what: &What<'_>) -> (String, String) {
        match what {
            What::Task(task) => self.of_task(event, task),
            What::Meeting(meeting, news) => {
                (self.of_meeting(meeting, *news), format!("/meetings/{}", meeting.id))
            }
            What::Access(one) if one.verb == "token_expires" => (self.of_access(one), TOKENS.to_owned()),
            What::Access(access) => (self.of_access(access), PROFILE.to_owned()),
        }
    }

    fn of_meeting(&self, meeting: &ChangedMeeting, news: News) -> String {
        let (words, title) = (AnnouncementWords(self.0), meeting.title.as_str());
        let starts = &moment(self.0, Timestamp::from_millis(meeting.starts_at), self.1.name());
        let text = match news {
            News::Requested if meeting.is_by_other() => words.requested_by(&meeting.actor, title, starts),
            News::Confirmed if meeting.is_by_other() => words.confirmed_by(&meeting.actor, title, starts),
            News::Rejected if meeting.is_by_other() => words.rejected_by(&meeting.actor, title, starts),
            News::Cancelled if meeting.is_by_other() => words.cancelled_by(&meeting.actor, title, starts),
            News::Requested => words.requested(title, starts),
            News::Confirmed => words.confirmed(title, starts),
            News::Rejected => words.rejected(title, starts),
            News::Expired => words.expired(title, starts),
            News::NoRoom => words.no_room(title, starts),
            News::Cancelled => words.cancelled(title, starts),
            News::Released => words.released(title, starts),
        };
        let text = match meeting.was_starts_at() {
            Some(was) => format!("{text}\n{}", words.before(&moment(self.0, was, self.1.name()))),
            None => text,
        };
        // The engine's reasons are codes, and the sentence says them.
        let is_typed = matches!(news, News::Rejected | News::Cancelled) && meeting.actor_id.is_some();
        match meeting.reason.as_str() {
            reason if is_typed && !reason.is_empty() => {
                format!("{text}\n{}", words.reason(&MeetingSentenceTexts(self.0).reason(reason)))
            }
            _ => text,
        }
    }

    fn of_access(&self, access: &AccessEvent) -> String {
        let words = AnnouncementWords(self.0);
        let at = &moment(self.0, Timestamp::from_millis(access.at), self.1.name());
        let detail: Value = serde_json::from_str(&access.detail).unwrap_or_default();
        let part = |name: &str| detail.get(name).and_then(Value::as_str).unwrap_or_default();
        words.access(&access.verb, [part("browser"), part("address"), part("name")], at)
    }

    fn of_task(&self, event: NotificationEvent, task: &Announced) -> (String, String) {
        let (words, title) = (AnnouncementWords(self.0), task.title.as_str());
        let page = || match task.kind.as_str() {
            RELEASE => format!("/releases/{}", task.target_id),
            _ => format!("/articles/{}", task.target_id),
        };
        let of_task = || format!("/tasks/{}", task.task_id);
        let at = || moment(self.0, Timestamp::from_millis(task.at), self.1.name());
        let reason = task.reason.as_deref().unwrap_or_default();
        let is_held = AttentionCause::of_review(reason).is_some();
        match (event, task.kind.as_str()) {
            (NotificationEvent::Failed | NotificationEvent::Missed, _) if is_held => {
                let text = match reason {
                    NOT_APPROVED | WORDS_APPROVAL => words.held(title),
                    _ => words.held_because(title),
                };
                (text, of_task())
            }
            (NotificationEvent::Failed, _) => (words.failed(title), of_task()),
            (NotificationEvent::Missed, _) => (words.missed(title), of_task()),
            (NotificationEvent::ExpiresSoon, _) => (words.expires(title, &at()), page()),
            (_, UNPUBLISH) => (words.unpublished(title), page()),
            _ => (words.published(title), page()),
        }
    }

    fn many(&self, event: NotificationEvent, things: &[&What<'_>], title: &str) -> (String, String) {
        let (words, count) = (AnnouncementWords(self.0), things.len());
        let attention = || "/".to_owned();
        match event {
            NotificationEvent::Failed => (words.many_failed(count, title), attention()),
            NotificationEvent::Missed => (words.many_missed(count, title), attention()),
            NotificationEvent::ExpiresSoon => (words.many_expire(count, title), "/tasks".to_owned()),
            NotificationEvent::Approval => {
                (words.many_requested(count, title), "/meetings?state=to_approve".to_owned())
            }
            NotificationEvent::Decided => {
                let of_meeting = |what: &&What<'_>| match what {
                    What::Meeting(_, news) => Some(*news),
                    What::Task(_) | What::Access(_) => None,
                };
                let news: Vec<News> = things.iter().filter_map(of_meeting).collect();
                let outcomes = outcomes(self.0, &news);
                (words.many_decided(count, &outcomes, title), "/meetings?state=all".to_owned())
            }
            NotificationEvent::Access => (words.many_access(count), PROFILE.to_owned()),
            // What others change is notified by `owned`.
            NotificationEvent::WentOut | NotificationEvent::Changed => {
                (words.many_out(count, title), "/tasks?state=executed".to_owned())
            }
        }
    }
}

/// Number of meetings of each outcome: `4 expired without a decision, 1 confirmed`; most frequent first.
fn outcomes(language: Language, news: &[News]) -> String {
    let words = AnnouncementWords(language);
    let count = |one: News| news.iter().filter(|other| **other == one).count();
    let mut counted: Vec<(News, usize)> = News::ALL.map(|one| (one, count(one))).to_vec();
    counted.retain(|(_, n)| *n > 0);
    counted.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    let part = |(one, n): (News, usize)| match one {
        News::Requested => words.count_requested(n),
        News::Confirmed => words.count_confirmed(n),
        News::Rejected => words.count_rejected(n),
        News::Expired => words.count_expired(n),
        News::NoRoom => words.count_no_room(n),
        News::Cancelled => words.count_cancelled(n),
        News::Released => words.count_released(n),
    };
    let parts: Vec<String> = counted.into_iter().map(part).collect();
    parts.join(texts::punctuation::comma(language))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn news(from: Option<&str>, to: &str, current: &str) -> Option<News> {
        News::of(&ChangedMeeting {
            id: Uuid::nil(),
            title: String::new(),
            organizer_id: Uuid::nil(),
            from_state: from.map(str::to_owned),
            state: to.to_owned(),
            current: current.to_owned(),
            version: None,
            actor_id: None,
            actor: String::new(),
            detail: String::new(),
            series_id: None,
            starts_at: 0,
            reason: String::new(),
        })
    }

    #[test]
    fn a_change_is_news_if_it_still_holds() {
        assert_eq!(news(None, "requested", "requested"), Some(News::Requested));
        assert_eq!(news(None, "requested", "confirmed"), None, "it was decided since");
        assert_eq!(news(None, "confirmed", "confirmed"), None, "booked without an approval");
        assert_eq!(news(Some("requested"), "confirmed", "confirmed"), Some(News::Confirmed));
        assert_eq!(news(Some("requested"), "confirmed", "in_progress"), Some(News::Confirmed));
        assert_eq!(news(Some("requested"), "confirmed", "requested"), None, "undone");
        assert_eq!(news(Some("cancelled"), "confirmed", "confirmed"), Some(News::Confirmed));
        assert_eq!(news(Some("requested"), "expired", "expired"), Some(News::Expired));
        assert_eq!(news(Some("offered"), "confirmed", "confirmed"), None, "the organizer accepted");
        for from in ["waiting", "offered"] {
            assert_eq!(news(Some(from), "expired", "expired"), Some(News::NoRoom));
        }
        assert_eq!(news(Some("confirmed"), "released", "released"), Some(News::Released));
    }

    #[test]
    fn outcomes_are_counted_one_by_one() {
        use News::{Confirmed, Expired};
        let news = [Expired, Confirmed, Expired, Expired, Expired];
        assert_eq!(outcomes(Language::En, &news), "4 expired without a decision, 1 confirmed");
        assert_eq!(outcomes(Language::Zh, &news), "4 个无人处理而过期，1 个已确认");
        assert_eq!(outcomes(Language::En, &[News::NoRoom; 4]), "4 expired without a room");
    }
}
