//! What must be, by the promises alone: knows nothing of hints, loops or SQL. Times are milliseconds since the beginning.

use domain::{Kind, State};

/// Articles there are.
pub const ARTICLES: usize = 2;
/// What nobody has approved so long after its moment is missed.
const UNAPPROVED_MS: i64 = 5_000;

/// A moment, and the number of a text.
type Wish = (i64, Option<i32>);

/// A task as people know it.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    pub article: usize,
    pub kind: Kind,
    pub due: i64,
    pub version: i32,
    /// The number of the text that goes out; none leaves the site.
    pub text: Option<i32>,
    pub is_approved: bool,
    pub state: State,
    /// Until when its last change is taken back, and what it was then; `None`: not wanted.
    pub before: Option<(i64, Option<Wish>)>,
}

/// An article: the number of its newest text and of the public one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Article {
    pub text: i32,
    pub public: Option<i32>,
}

/// All that people know.
#[derive(Debug, Clone)]
pub struct Known {
    pub now: i64,
    pub articles: [Article; ARTICLES],
    pub tasks: Vec<Task>,
}

impl Known {
    /// The task that waits with this kind for this article.
    pub fn waiting(&self, kind: Kind, article: usize) -> Option<&Task> {
        let waits = |task: &&Task| (task.kind, task.article, task.state) == (kind, article, State::Scheduled);
        self.tasks.iter().find(waits)
    }

    /// A new task is wanted.
    pub fn schedule(&mut self, kind: Kind, article: usize, due: i64) {
        let text = (kind == Kind::ArticlePublish).then_some(self.articles[article].text);
        let (version, is_approved, state, before) = (1, true, State::Scheduled, Some((due, None)));
        self.tasks.push(Task { article, kind, due, version, text, is_approved, state, before });
    }

    /// A task is in a new version; while its old moment is ahead an undo leads back to what was.
    pub fn change(&mut self, place: usize, new: impl FnOnce(&mut Task)) {
        let task = &mut self.tasks[place];
        let before = Some((task.due, Some((task.due, task.text))));
        new(task);
        (task.version, task.before) = (task.version + 1, before);
    }

    /// The last change is taken back. That is not taken back.
    pub fn undo(&mut self, place: usize) {
        let before = self.tasks[place].before.take();
        self.change(place, |task| match before {
            Some((_, Some((due, text)))) => (task.state, task.due, task.text) = (State::Scheduled, due, text),
            _ => task.state = State::Cancelled,
        });
        self.tasks[place].before = None;
    }

    /// The engine has done all there is to do: what is due has happened, of each article in due order, or was missed.
    pub fn settle(&mut self) {
        while let Some(place) = self.next() {
            let task = &mut self.tasks[place];
            if !task.is_approved {
                task.state = State::Missed;
                continue;
            }
            if self.is_older(place) {
                self.tasks[place].state = State::Failed;
                continue;
            }
            let task = &mut self.tasks[place];
            task.state = State::Executed;
            self.articles[task.article].public = task.text;
        }
    }

    /// Whether a task would put an older text over a newer public one.
    pub fn is_older(&self, place: usize) -> bool {
        let task = &self.tasks[place];
        task.text.is_some() && self.articles[task.article].public > task.text
    }

    fn next(&self) -> Option<usize> {
        let waits = |place: &usize| self.tasks[*place].state == State::Scheduled;
        let order = |place: &usize| (self.tasks[*place].due, *place);
        (0..self.tasks.len()).filter(waits).find(|place| {
            let task = &self.tasks[*place];
            let is_first = (0..self.tasks.len())
                .filter(waits)
                .all(|other| self.tasks[other].article != task.article || order(&other) >= order(place));
            let may_go = if task.is_approved { is_first } else { self.now - task.due >= UNAPPROVED_MS };
            may_go && task.due <= self.now
        })
    }
}
