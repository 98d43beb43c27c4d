//! The reference model: knows nothing of hints, loops or SQL. Times are milliseconds since the
//! start.

use domain::{Kind, State};

/// Number of articles.
pub const ARTICLES: usize = 2;
/// An unapproved task is missed this long after its due time, in ms.
const UNAPPROVED_GRACE_MS: i64 = 5_000;

/// A due time, and the number of a revision.
type Schedule = (i64, Option<i32>);

/// A task of the model.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    pub article: usize,
    pub kind: Kind,
    pub due: i64,
    pub version: i32,
    /// Number of the revision to publish; `None`: unpublish.
    pub text: Option<i32>,
    pub is_approved: bool,
    pub state: State,
    /// Until when its last change can be undone, and the due time and revision before it; an inner
    /// `None`: not scheduled.
    pub before: Option<(i64, Option<Schedule>)>,
}

/// An article: the number of its newest revision and of the public one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Article {
    pub text: i32,
    pub public: Option<i32>,
}

/// The state of the model.
#[derive(Debug, Clone)]
pub struct Model {
    pub now: i64,
    pub articles: [Article; ARTICLES],
    pub tasks: Vec<Task>,
}

impl Model {
    /// Returns the scheduled task of this kind for this article.
    pub fn waiting(&self, kind: Kind, article: usize) -> Option<&Task> {
        let waits = |task: &&Task| (task.kind, task.article, task.state) == (kind, article, State::Scheduled);
        self.tasks.iter().find(waits)
    }

    /// Adds a scheduled task.
    pub fn schedule(&mut self, kind: Kind, article: usize, due: i64) {
        let text = (kind == Kind::ArticlePublish).then_some(self.articles[article].text);
        let (version, is_approved, state, before) = (1, true, State::Scheduled, Some((due, None)));
        self.tasks.push(Task { article, kind, due, version, text, is_approved, state, before });
    }

    /// Changes a task. Until its old due time the change can be undone.
    pub fn change(&mut self, index: usize, new: impl FnOnce(&mut Task)) {
        let task = &mut self.tasks[index];
        let before = Some((task.due, Some((task.due, task.text))));
        new(task);
        (task.version, task.before) = (task.version + 1, before);
    }

    /// Undoes the last change. An undo cannot be undone.
    pub fn undo(&mut self, index: usize) {
        let before = self.tasks[index].before.take();
        self.change(index, |task| match before {
            Some((_, Some((due, text)))) => (task.state, task.due, task.text) = (State::Scheduled, due, text),
            _ => task.state = State::Cancelled,
        });
        self.tasks[index].before = None;
    }

    /// Executes or misses all due tasks, in due order for each article.
    pub fn settle(&mut self) {
        while let Some(index) = self.next() {
            let task = &mut self.tasks[index];
            if !task.is_approved {
                task.state = State::Missed;
                continue;
            }
            if self.is_older(index) {
                self.tasks[index].state = State::Failed;
                continue;
            }
            let task = &mut self.tasks[index];
            task.state = State::Executed;
            self.articles[task.article].public = task.text;
        }
    }

    /// Whether a task would replace a newer public revision with an older one.
    pub fn is_older(&self, index: usize) -> bool {
        let task = &self.tasks[index];
        task.text.is_some() && self.articles[task.article].public > task.text
    }

    fn next(&self) -> Option<usize> {
        let waits = |index: &usize| self.tasks[*index].state == State::Scheduled;
        let order = |index: &usize| (self.tasks[*index].due, *index);
        (0..self.tasks.len()).filter(waits).find(|index| {
            let task = &self.tasks[*index];
            let is_first = (0..self.tasks.len())
                .filter(waits)
                .all(|other| self.tasks[other].article != task.article || order(&other) >= order(index));
            let may_go = if task.is_approved { is_first } else { self.now - task.due >= UNAPPROVED_GRACE_MS };
            may_go && task.due <= self.now
        })
    }
}
