//! What is drawn: what people do, what time does, and what becomes of hints and of the process.

use super::reference::{ARTICLES, Article, Known, Task};
use domain::{Kind, State};
use proptest::{prelude::*, strategy::BoxedStrategy};
use proptest_state_machine::ReferenceStateMachine;

/// One step. A place is a task's, in the order they were made; times are milliseconds from then.
#[derive(Debug, Clone)]
pub enum Step {
    Schedule {
        kind: Kind,
        article: usize,
        ahead: i64,
    },
    Move {
        place: usize,
        ahead: i64,
    },
    Cancel(usize),
    PublishNow(usize),
    Retry(usize),
    Replace(usize),
    Undo(usize),
    /// Somebody moves what they saw in an older version.
    MoveOld(usize),
    Edit(usize),
    /// An approval is withdrawn, or given.
    Withdraw(usize),
    Approve(usize),
    /// Time passes, and nothing runs.
    Pass(i64),
    /// Time passes, and all loops run.
    Tick(i64),
    /// A consumer takes what is due, and does not come to it yet.
    Pop,
    /// It comes to it.
    Execute,
    /// The process dies with what it holds, and starts anew.
    Crash,
    /// What a consumer holds is on the publish list once more.
    Duplicate,
    /// Redis forgets what is due.
    Lose,
    /// Redis invents a hint: of this task as it stands, due or not.
    Forge(usize),
}

/// Moments of the engine fall between those of people: no clock of a server comes so near that it matters.
const HALF: i64 = 500;

/// See [`ReferenceStateMachine`].
pub struct Machine;

impl ReferenceStateMachine for Machine {
    type State = Known;
    type Transition = Step;

    fn init_state() -> BoxedStrategy<Known> {
        let articles = [Article { text: 1, public: None }; ARTICLES];
        Just(Known { now: 0, articles, tasks: Vec::new() }).boxed()
    }

    fn transitions(known: &Known) -> BoxedStrategy<Step> {
        let (ahead, article) = ((0..5_i64).prop_map(|s| s * 1_000 + HALF), 0..ARTICLES);
        let kind = prop_oneof![3 => Just(Kind::ArticlePublish), 1 => Just(Kind::ArticleUnpublish)];
        let pass = (0..4_i64).prop_map(|s| s * 1_000);
        let free = prop_oneof![
            8 => (kind, article.clone(), ahead.clone())
                .prop_map(|(kind, article, ahead)| Step::Schedule { kind, article, ahead }),
            2 => article.prop_map(Step::Edit),
            2 => pass.clone().prop_map(Step::Pass),
            5 => pass.prop_map(Step::Tick),
            4 => Just(Step::Pop),
            3 => Just(Step::Execute),
            1 => Just(Step::Crash),
            1 => Just(Step::Duplicate),
            1 => Just(Step::Lose),
        ];
        if known.tasks.is_empty() {
            return free.boxed();
        }
        let place = 0..known.tasks.len();
        let of_a_task = prop_oneof![
            3 => (place.clone(), ahead).prop_map(|(place, ahead)| Step::Move { place, ahead }),
            3 => place.clone().prop_map(Step::Cancel),
            2 => place.clone().prop_map(Step::PublishNow),
            1 => place.clone().prop_map(Step::Retry),
            2 => place.clone().prop_map(Step::Replace),
            4 => place.clone().prop_map(Step::Undo),
            1 => place.clone().prop_map(Step::MoveOld),
            2 => place.clone().prop_map(Step::Withdraw),
            2 => place.clone().prop_map(Step::Approve),
            2 => place.prop_map(Step::Forge),
        ];
        prop_oneof![1 => free, 1 => of_a_task].boxed()
    }

    fn preconditions(known: &Known, step: &Step) -> bool {
        let of = |place: &usize| known.tasks.get(*place);
        match step {
            Step::Move { place, .. }
            | Step::Cancel(place)
            | Step::PublishNow(place)
            | Step::Retry(place)
            | Step::Forge(place) => of(place).is_some(),
            // What has happened is taken back by tasks of its own: the seeded worlds and the stories do that.
            Step::Undo(place) => of(place).is_some_and(|task| task.state != State::Executed),
            Step::MoveOld(place) => of(place).is_some_and(|task| task.version > 1),
            Step::Replace(place) => of(place).is_some_and(|task| task.kind == Kind::ArticlePublish),
            Step::Withdraw(place) => {
                of(place).is_some_and(|task| task.state == State::Scheduled && task.is_approved)
            }
            Step::Approve(place) => {
                of(place).is_some_and(|task| task.state == State::Scheduled && !task.is_approved)
            }
            _ => true,
        }
    }

    fn apply(mut known: Known, step: &Step) -> Known {
        if is_granted(&known, step) {
            know(&mut known, step);
        }
        known
    }
}

/// What people know after a step that is not refused.
fn know(known: &mut Known, step: &Step) {
    let now = known.now;
    match *step {
        Step::Schedule { kind, article, ahead } => known.schedule(kind, article, now + ahead),
        Step::Move { place, ahead } => known.change(place, |task| task.due = now + ahead),
        Step::Cancel(place) => known.change(place, |task| task.state = State::Cancelled),
        Step::PublishNow(place) => known.change(place, |task| task.due = now),
        Step::Retry(place) => {
            known.change(place, |task| {
                (task.state, task.due, task.is_approved) = (State::Scheduled, now, true);
            });
            known.tasks[place].before = None;
        }
        Step::Replace(place) => {
            let text = Some(known.articles[known.tasks[place].article].text);
            if known.tasks[place].text != text {
                known.change(place, |task| (task.text, task.is_approved) = (text, true));
            }
        }
        Step::Undo(place) => known.undo(place),
        Step::Edit(article) => known.articles[article].text += 1,
        Step::Withdraw(place) => {
            let task = &mut known.tasks[place];
            (task.is_approved, task.version) = (false, task.version + 1);
        }
        Step::Approve(place) => known.tasks[place].is_approved = true,
        Step::Pass(millis) => known.now += millis,
        Step::Tick(millis) => {
            known.now += millis;
            known.settle();
        }
        Step::Execute => known.settle(),
        Step::MoveOld(_) | Step::Pop | Step::Crash | Step::Duplicate | Step::Lose | Step::Forge(_) => {}
    }
}

/// Whether people are told yes; what nobody asked for is always granted.
pub fn is_granted(known: &Known, step: &Step) -> bool {
    let is_free = |task: &Task| known.waiting(task.kind, task.article).is_none();
    match *step {
        Step::Schedule { kind, article, ahead } => {
            let published = known.waiting(Kind::ArticlePublish, article);
            let is_public = known.articles[article].public.is_some()
                || published.is_some_and(|task| task.due <= known.now + ahead);
            known.waiting(kind, article).is_none() && (kind == Kind::ArticlePublish || is_public)
        }
        Step::Move { place, .. } | Step::Replace(place) => known.tasks[place].state == State::Scheduled,
        Step::PublishNow(place) => known.tasks[place].state == State::Scheduled && !known.is_older(place),
        Step::Cancel(place) => {
            matches!(known.tasks[place].state, State::Scheduled | State::Missed | State::Failed)
        }
        Step::Retry(place) => {
            let task = &known.tasks[place];
            let has_stopped = matches!(task.state, State::Missed | State::Failed);
            has_stopped && is_free(task) && !known.is_older(place)
        }
        Step::Undo(place) => {
            let task = &known.tasks[place];
            let is_ahead = task.before.as_ref().is_some_and(|(until, _)| known.now < *until);
            // What was missed has ended by itself.
            is_ahead && (task.state == State::Scheduled || (task.state == State::Cancelled && is_free(task)))
        }
        Step::MoveOld(_) => false,
        _ => true,
    }
}
