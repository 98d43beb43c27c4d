//! What becomes of a file: compared with what is known, decided by its dates and the flags of the import.

use super::{Import, Pace, file::File, identity::Identities, problem::Problem, report::Report};
use crate::{house::House, text::slug, trouble::Trouble};
use domain::{Kind, State, TaskId, Timestamp};
use std::collections::HashSet;
use store::{Who, import, trash};
use uuid::Uuid;

/// What the desk holds already, and how far the pace has come.
#[derive(Debug)]
pub struct Known {
    articles: Vec<import::Known>,
    identities: Identities,
    slugs: HashSet<String>,
    taken: HashSet<String>,
    paced: i64,
    /// Files whose article was deleted.
    deleted: Identities,
}

/// What becomes of one file.
#[derive(Debug)]
pub struct Plan {
    /// The file.
    pub file: File,
    /// How its text is written.
    pub text: Text,
    /// Its name in the address, for a new article.
    pub slug: String,
    /// What happens besides.
    pub then: Then,
    /// When it leaves the site after that.
    pub expires: Option<Timestamp>,
    /// The task of an earlier import that must not run any more.
    pub cancel: Option<TaskId>,
}

/// How the text of a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text {
    /// As a new article.
    Create,
    /// As a new revision of an article.
    Update {
        /// Which one.
        id: Uuid,
        /// The number of its current revision.
        revision: i32,
    },
    /// Not at all: it is what it was.
    Keep {
        /// Which one.
        id: Uuid,
    },
}

/// What happens to the article of a file besides its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// Nothing: a draft, or what it was.
    Nothing,
    /// It is public since then.
    Publish(Timestamp),
    /// It becomes public then.
    Schedule(Timestamp),
}

impl Known {
    /// All that came from files, and all names that are taken. `files`: the paths of those that are there now.
    pub async fn read<'p>(house: &House, files: impl Iterator<Item = &'p str>) -> Result<Self, Trouble> {
        let mut lease = house.parts.store.read(Who::People).await?;
        let articles = import::known(lease.conn()).await?;
        let slugs = import::slugs(lease.conn()).await?;
        let deleted = trash::imports(lease.conn()).await?;
        let files: Vec<&str> = files.collect();
        let paths: Vec<&str> = articles.iter().map(|known| known.import_path.as_str()).collect();
        let identities = Identities::new(&paths, files.iter().copied());
        let paths: Vec<&str> = deleted.iter().map(String::as_str).collect();
        let deleted = Identities::new(&paths, files.iter().copied());
        let slugs = slugs.into_iter().collect();
        Ok(Self { identities, articles, slugs, taken: HashSet::new(), paced: 0, deleted })
    }

    /// Reads the taken names again, after another article took one of ours.
    pub async fn read_slugs(&mut self, house: &House) -> Result<(), Trouble> {
        let mut lease = house.parts.store.read(Who::People).await?;
        self.slugs = import::slugs(lease.conn()).await?.into_iter().collect();
        Ok(())
    }

    /// Whether a person deleted the article of this file: it is not brought back.
    pub fn is_deleted(&self, path: &str) -> bool {
        self.deleted.find(path).is_some()
    }

    /// Decides what becomes of a file and notes what it takes; `None`: nothing is written.
    pub fn plan(
        &mut self,
        mut file: File,
        import: &Import,
        now: Timestamp,
        report: &mut Report,
    ) -> Option<Plan> {
        if !self.taken.insert(file.path.clone()) {
            report.refuse(
                &file.path,
                Problem::at(1, "another file has the same name in another form; rename one"),
            );
            return None;
        }
        for warning in &file.warnings {
            report.warn(&file.path, warning.clone());
        }
        file.held = file.held.or_else(|| out_of_date(file.date, file.expires, now));
        let known = self.identities.find(&file.path).map(|place| self.articles[place].clone());
        let Some(known) = known else {
            note_held(&file, report);
            let then = self.then(&file, import, now);
            let slug = self.take_slug(&file.slug);
            return Some(plan(file, Text::Create, slug, then));
        };
        if let Some(why) = by_people(&known) {
            self.leave(&file, &known, import, (why, now), report);
            return None;
        }
        note_held(&file, report);
        Some(self.again(file, &known, import, now, report))
    }

    /// A file whose article only imports have changed so far.
    fn again(
        &mut self,
        file: File,
        known: &import::Known,
        import: &Import,
        now: Timestamp,
        report: &mut Report,
    ) -> Plan {
        let is_same = known.import_hash == file.hash;
        let text = match is_same {
            true => Text::Keep { id: known.id },
            false => Text::Update { id: known.id, revision: known.revision },
        };
        let published_at = known.published_at.map(Timestamp::from_millis);
        let then = match (published_at, known.waiting_at) {
            (Some(at), _) if !is_same && import.publish_past && file.held.is_none() => Then::Publish(at),
            (Some(_), _) => {
                warn_of_public(&file, is_same, report);
                Then::Nothing
            }
            // An earlier import scheduled it.
            (None, Some(_)) => Then::Nothing,
            // It has left the site again, or its task could not run.
            (None, None) if known.tasks > 0 => Then::Nothing,
            (None, None) => self.then(&file, import, now),
        };
        let mut plan = plan(file, text, String::new(), then);
        if published_at.is_some() && known.tasks == 0 && plan.file.held.is_none() {
            plan.expires = plan.file.expires;
        }
        if let (Some(at), Some(task)) = (known.waiting_at, known.waiting_id) {
            plan.cancel = plan.file.held.is_some().then_some(TaskId(task));
            warn_of_waiting(&plan.file, at.into(), is_same, report);
        }
        plan
    }

    /// Leaves an article as people made it, and says so where the file wants something else.
    fn leave(
        &mut self,
        file: &File,
        known: &import::Known,
        import: &Import,
        (why, now): (String, Timestamp),
        report: &mut Report,
    ) {
        let paced = self.paced;
        let then = self.then(file, import, now);
        self.paced = paced;
        let wants_more = match then {
            _ if known.import_hash != file.hash => true,
            Then::Nothing => false,
            Then::Publish(_) => known.published_at.is_none(),
            Then::Schedule(at) => known.published_at.is_none() && known.waiting_at != Some(at.millis()),
        };
        if wants_more {
            report.keep(&file.path, why);
        } else {
            report.unchanged += 1;
        }
    }

    fn then(&mut self, file: &File, import: &Import, now: Timestamp) -> Then {
        if file.held.is_some() {
            return Then::Nothing;
        }
        match (file.date, import.pace) {
            (Some(at), _) if at <= now && import.publish_past => Then::Publish(at),
            // What its author wants to keep until later is not published sooner by the pace.
            (Some(at), Some(pace)) if at > now && at > self.next(pace) => Then::Schedule(at),
            (_, Some(pace)) => {
                let due = self.next(pace);
                self.paced += 1;
                if file.expires.is_some_and(|expires| expires <= due) {
                    Then::Nothing
                } else {
                    Then::Schedule(due)
                }
            }
            (Some(at), None) if at > now => Then::Schedule(at),
            _ => Then::Nothing,
        }
    }

    fn next(&self, Pace { from, every_ms }: Pace) -> Timestamp {
        from.plus(every_ms.saturating_mul(self.paced))
    }

    /// The wanted name, with a number if it is taken.
    pub fn take_slug(&mut self, wanted: &str) -> String {
        let name = if self.slugs.contains(wanted) {
            let mut free = (2..).map(|number| slug::numbered(wanted, number));
            free.find(|name| !self.slugs.contains(name)).unwrap_or_default()
        } else {
            wanted.to_owned()
        };
        self.slugs.insert(name.clone());
        name
    }
}

fn plan(file: File, text: Text, slug: String, then: Then) -> Plan {
    let expires = file.expires.filter(|_| then != Then::Nothing);
    Plan { expires, text, slug, then, cancel: None, file }
}

fn note_held(file: &File, report: &mut Report) {
    if let Some(held) = &file.held {
        report.hold(&file.path, held.clone());
    }
}

/// Why the dates of a file keep it off the site.
fn out_of_date(date: Option<Timestamp>, expires: Option<Timestamp>, now: Timestamp) -> Option<Problem> {
    let expires = expires?;
    if expires <= now {
        return Some(Problem::at(1, format!("it expired on {expires}")));
    }
    let is_never = date.is_some_and(|date| expires <= date);
    is_never.then(|| Problem::at(1, format!("it expires on {expires}, before it is published")))
}

/// What people did to an article at the desk, in words; `None`: nothing, only imports changed it.
fn by_people(known: &import::Known) -> Option<String> {
    if known.import_revision != Some(known.revision) {
        return Some("its text was changed at the desk; copy what is new in the file by hand".to_owned());
    }
    if known.tasks_of_people == 0 {
        return None;
    }
    let waiting = known.waiting_at.map(Timestamp::from_millis);
    let newest = known.newest.as_deref().unwrap_or_default();
    let is = |kind: Kind, state: State| newest == format!("{} {}", kind.as_str(), state.as_str());
    Some(match (waiting, known.published_at) {
        (Some(at), _) => format!("it was scheduled for {at} at the desk"),
        (None, Some(_)) => "it was published at the desk, or what waits for it was changed there".to_owned(),
        (None, None) if is(Kind::ArticleUnpublish, State::Executed) => {
            "it was unpublished at the desk".to_owned()
        }
        (None, None) if newest.ends_with(State::Cancelled.as_str()) => {
            "its schedule was cancelled at the desk".to_owned()
        }
        (None, None) => "its task did not run; look at Attention".to_owned(),
    })
}

/// A public article whose file says something else now.
fn warn_of_public(file: &File, is_same: bool, report: &mut Report) {
    let why = match &file.held {
        Some(held) => {
            let why = format!("it is public, but {}; unpublish it at the desk", held.why);
            Problem::at(held.line, why)
        }
        None if is_same => return,
        None => Problem::at(
            1,
            "its public text stays as it was; publish the new one at the desk, or import with --publish-past",
        ),
    };
    report.warn(&file.path, why);
}

/// An article that an earlier import scheduled, whose file says something else now.
fn warn_of_waiting(file: &File, at: Timestamp, is_same: bool, report: &mut Report) {
    if file.held.is_some() {
        report.warn(&file.path, Problem::at(1, format!("its schedule for {at} is cancelled")));
        return;
    }
    if file.date.is_some_and(|date| date != at) && !is_same {
        let why = format!("it stays scheduled for {at}; move it at the desk");
        report.warn(&file.path, Problem::at(1, why));
    }
    if !is_same {
        let why = "what goes out stays its earlier text; replace it at the desk";
        report.warn(&file.path, Problem::at(1, why));
    }
}
