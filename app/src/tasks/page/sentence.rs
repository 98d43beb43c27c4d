//! What a task does, did, or why it did not, as one paragraph.

use domain::{
    Kind, LocalizedTime, Timestamp,
    event::Event,
    lateness::ON_TIME_MS,
    task::{Phase, Task, reason as code},
    time::wall_clock_time,
};
use texts::tasks::sentence::SentenceTexts;
use texts::{Language, reason, time};

/// For whom the paragraph is: language, zones of user and desk, and the time.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    /// Language of the user.
    pub language: Language,
    /// Time zone of the user.
    pub zone: &'a str,
    /// Time zone of the desk.
    pub desk_zone: &'a str,
    /// The server's clock.
    pub now: Timestamp,
}

impl Reader<'_> {
    /// A time in the user's zone, followed by the desk's time if that differs.
    fn moment(self, at: LocalizedTime) -> String {
        let own = time::moment(self.language, at, self.zone, self.now);
        let day = |offset| {
            let wall = wall_clock_time(at.at, offset);
            (wall.year, wall.month, wall.day)
        };
        let desk = time::desk_moment(self.language, at, self.desk_zone, self.now);
        let desk = desk.map(|full| match day(at.viewer_offset) == day(at.site_offset) {
            true => self.desk_clock(at),
            false => full,
        });
        match (desk, self.language) {
            (None, _) => own,
            (Some(desk), Language::En) => format!("{own} ({desk})"),
            (Some(desk), Language::Zh) => format!("{own}、{desk}"),
            (Some(desk), Language::De) => format!("{own}, {desk}"),
        }
    }

    /// `02:00 Berlin`.
    fn desk_clock(self, at: LocalizedTime) -> String {
        let place = time::place(self.language, self.desk_zone);
        time::placed_clock(self.language, &time::clock(at.site_time()), &place)
    }

    fn texts(self) -> SentenceTexts {
        SentenceTexts(self.language)
    }

    fn span(self, ms: i64) -> String {
        time::span(self.language, ms / 1_000)
    }
}

/// Returns what the task does or did, and what the user can do.
#[must_use]
pub fn paragraph(reader: Reader<'_>, task: &Task) -> String {
    let sentences = match task.row.phase(reader.now) {
        phase @ (Phase::Scheduled | Phase::Due) => waiting(reader, task, phase),
        Phase::Executed => executed(reader, task),
        Phase::Missed => missed(reader, task),
        Phase::Failed => failed(reader, task),
        Phase::Cancelled => cancelled(reader, task),
    };
    sentences.join(texts::punctuation::gap(reader.language))
}

fn waiting(reader: Reader<'_>, task: &Task, phase: Phase) -> Vec<String> {
    let (texts, when) = (reader.texts(), reader.moment(task.row.due));
    let what = match (phase, task.row.kind) {
        (Phase::Due, Kind::ArticlePublish) => texts.due_publish(when),
        (Phase::Due, Kind::ArticleUnpublish) => texts.due_unpublish(when),
        (Phase::Due, Kind::Other(_)) => texts.due_run(when),
        (_, Kind::ArticlePublish) => texts.will_publish(when),
        (_, Kind::ArticleUnpublish) => texts.will_unpublish(when),
        (_, Kind::Other(_)) => texts.will_run(when),
    };
    let revision = task.revision.map(|number| texts.revision(number));
    let limit = texts.at_most(reader.span(task.grace_ms));
    // Why the last attempt failed, or why it was rescheduled.
    let why = task.row.reason.as_deref().map(|why| reason::sentence(reader.language, why));
    [Some(joined(texts, [Some(what), revision, Some(limit)])), why].into_iter().flatten().collect()
}

fn joined(texts: SentenceTexts, parts: impl IntoIterator<Item = Option<String>>) -> String {
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("{}{}", parts.join(texts.comma()), texts.full_stop())
}

fn executed(reader: Reader<'_>, task: &Task) -> Vec<String> {
    let (texts, row) = (reader.texts(), &task.row);
    let at = row.executed.unwrap_or(row.due);
    let when = reader.moment(at);
    let what = match row.kind {
        Kind::ArticlePublish => texts.published(when),
        Kind::ArticleUnpublish => texts.unpublished(when),
        Kind::Other(_) => texts.executed(when),
    };
    let late_ms = at.at.since(row.due.at).max(0);
    let measured = time::measured(reader.language, late_ms);
    let how_late = if late_ms > ON_TIME_MS { texts.late(measured) } else { texts.on_time(measured) };
    let revision = task.revision.map(|number| texts.revision(number));
    let next = match (row.kind, task.is_public) {
        (Kind::ArticlePublish, true) => Some(texts.to_unpublish().to_owned()),
        (Kind::ArticlePublish, false) => Some(texts.not_public().to_owned()),
        _ => None,
    };
    [Some(joined(texts, [Some(what), revision, Some(how_late)])), next].into_iter().flatten().collect()
}

fn missed(reader: Reader<'_>, task: &Task) -> Vec<String> {
    let (texts, row) = (reader.texts(), &task.row);
    let limit = reader.span(task.grace_ms);
    let late_ms = last_change(task, "missed").map(|event| event.at.at.since(row.due.at));
    let what = match (row.reason.as_deref(), late_ms) {
        (Some(code::LATE) | None, Some(late)) => texts.missed(reader.span(late), limit),
        (Some(code::LATE) | None, None) => texts.missed_limit(limit),
        (Some(why), _) => texts.missed_because(reason::sentence(reader.language, why)),
    };
    let next = match (row.reason.as_deref(), row.kind) {
        // The reason says what to do.
        (Some(code::WORDS_BLOCK | code::NOT_APPROVED), _) => "",
        (_, Kind::ArticlePublish) => texts.publish_or_dismiss(),
        _ => texts.run_or_dismiss(),
    };
    with_advice(task, vec![what, texts.was_due(reader.moment(row.due))], next)
}

fn failed(reader: Reader<'_>, task: &Task) -> Vec<String> {
    let (texts, row) = (reader.texts(), &task.row);
    let why = row.reason.as_deref().map(|why| reason::sentence(reader.language, why));
    let why = why.unwrap_or_else(|| texts.unknown_reason().to_owned());
    let what = match last_change(task, "failed") {
        Some(event) => texts.failed(reader.moment(event.at), why),
        None => texts.failed_because(why),
    };
    let attempts = (task.attempts > 1).then(|| texts.attempts(task.attempts));
    let next = match row.reason.as_deref() {
        Some(code::POISON) => texts.see_log(),
        Some(code::TARGET_GONE) => texts.dismiss(),
        Some(code::NOT_APPROVED) => texts.approve(),
        // The reason says what to do.
        Some(code::OLDER_TEXT | code::WORDS_BLOCK) => "",
        _ => texts.retry_or_dismiss(),
    };
    with_advice(task, [Some(what), attempts].into_iter().flatten().collect(), next)
}

/// Adds what to do, for users who may.
fn with_advice(task: &Task, mut sentences: Vec<String>, next: &str) -> Vec<String> {
    if task.row.may_change && !next.is_empty() {
        sentences.push(next.to_owned());
    }
    sentences
}

fn cancelled(reader: Reader<'_>, task: &Task) -> Vec<String> {
    let (texts, row) = (reader.texts(), &task.row);
    let what = match last_change(task, "cancelled") {
        Some(event) => {
            let by_engine = event.actor_id.is_none();
            let name = if by_engine { texts.the_engine().to_owned() } else { event.actor.clone() };
            texts.cancelled_by(name, reader.moment(event.at))
        }
        None => texts.cancelled().to_owned(),
    };
    let why = row.reason.as_deref().map(|why| reason::sentence(reader.language, why));
    [Some(what), why, Some(texts.was_due(reader.moment(row.due)))].into_iter().flatten().collect()
}

/// Returns the last event that brought the task into this state.
fn last_change<'a>(task: &'a Task, state: &str) -> Option<&'a Event> {
    task.timeline.iter().rfind(|event| event.to_state.as_deref() == Some(state))
}
