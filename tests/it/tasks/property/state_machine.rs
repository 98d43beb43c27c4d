//! The steps of a sequence: user actions, time, and faults of hints and of the process.

use super::reference::{ARTICLES, Article, Model, Task};
use domain::{Kind, State};
use proptest::{prelude::*, strategy::BoxedStrategy};
use proptest_state_machine::ReferenceStateMachine;

/// One step. `place` is the index of a task; `ahead` and times are milliseconds from now.
#[derive(Debug, Clone)]
pub enum Step {
    Schedule {
        kind: Kind,
        article: usize,
        ahead: i64,
    },
    Move {
        index: usize,
        ahead: i64,
    },
    Cancel(usize),
    PublishNow(usize),
    Retry(usize),
    Replace(usize),
    Undo(usize),
    /// A user reschedules an old version.
    MoveOld(usize),
    Edit(usize),
    /// Withdraws the approval of a task.
    Withdraw(usize),
    Approve(usize),
    /// Time passes without loops.
    Pass(i64),
    /// Time passes, then all loops run.
    Tick(i64),
    /// A consumer pops due hints without executing them.
    Pop,
    /// It executes them.
    Execute,
    /// The process dies with its popped hints and restarts.
    Crash,
    /// The popped hints are on the publish list once more.
    Duplicate,
    /// Redis loses the due hints.
    Lose,
    /// Redis holds a wrong hint: for the current version of this task, due or not.
    Forge(usize),
}

/// Offset of due times in ms, so that no clock difference between servers decides what is due.
const DUE_OFFSET_MS: i64 = 500;

/// See [`ReferenceStateMachine`].
pub struct Machine;

impl ReferenceStateMachine for Machine {
    type State = Model;
    type Transition = Step;

    fn init_state() -> BoxedStrategy<Model> {
        let articles = [Article { text: 1, public: None }; ARTICLES];
        Just(Model { now: 0, articles, tasks: Vec::new() }).boxed()
    }

    fn transitions(model: &Model) -> BoxedStrategy<Step> {
        let (ahead, article) = ((0..5_i64).prop_map(|s| s * 1_000 + DUE_OFFSET_MS), 0..ARTICLES);
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
        if model.tasks.is_empty() {
            return free.boxed();
        }
        let index = 0..model.tasks.len();
        let of_a_task = prop_oneof![
            3 => (index.clone(), ahead).prop_map(|(index, ahead)| Step::Move { index, ahead }),
            3 => index.clone().prop_map(Step::Cancel),
            2 => index.clone().prop_map(Step::PublishNow),
            1 => index.clone().prop_map(Step::Retry),
            2 => index.clone().prop_map(Step::Replace),
            4 => index.clone().prop_map(Step::Undo),
            1 => index.clone().prop_map(Step::MoveOld),
            2 => index.clone().prop_map(Step::Withdraw),
            2 => index.clone().prop_map(Step::Approve),
            2 => index.prop_map(Step::Forge),
        ];
        prop_oneof![1 => free, 1 => of_a_task].boxed()
    }

    fn preconditions(model: &Model, step: &Step) -> bool {
        let of = |index: &usize| model.tasks.get(*index);
        match step {
            Step::Move { index, .. }
            | Step::Cancel(index)
            | Step::PublishNow(index)
            | Step::Retry(index)
            | Step::Forge(index) => of(index).is_some(),
            // Undo after execution creates new tasks: the simulation and other tests cover it.
            Step::Undo(index) => of(index).is_some_and(|task| task.state != State::Executed),
            Step::MoveOld(index) => of(index).is_some_and(|task| task.version > 1),
            Step::Replace(index) => of(index).is_some_and(|task| task.kind == Kind::ArticlePublish),
            Step::Withdraw(index) => {
                of(index).is_some_and(|task| task.state == State::Scheduled && task.is_approved)
            }
            Step::Approve(index) => {
                of(index).is_some_and(|task| task.state == State::Scheduled && !task.is_approved)
            }
            _ => true,
        }
    }

    fn apply(mut model: Model, step: &Step) -> Model {
        if is_accepted(&model, step) {
            apply_step(&mut model, step);
        }
        model
    }
}

/// Applies a step that is not refused.
fn apply_step(model: &mut Model, step: &Step) {
    let now = model.now;
    match *step {
        Step::Schedule { kind, article, ahead } => model.schedule(kind, article, now + ahead),
        Step::Move { index, ahead } => model.change(index, |task| task.due = now + ahead),
        Step::Cancel(index) => model.change(index, |task| task.state = State::Cancelled),
        Step::PublishNow(index) => model.change(index, |task| task.due = now),
        Step::Retry(index) => {
            model.change(index, |task| {
                (task.state, task.due, task.is_approved) = (State::Scheduled, now, true);
            });
            model.tasks[index].before = None;
        }
        Step::Replace(index) => {
            let text = Some(model.articles[model.tasks[index].article].text);
            if model.tasks[index].text != text {
                model.change(index, |task| (task.text, task.is_approved) = (text, true));
            }
        }
        Step::Undo(index) => model.undo(index),
        Step::Edit(article) => model.articles[article].text += 1,
        Step::Withdraw(index) => {
            let task = &mut model.tasks[index];
            (task.is_approved, task.version) = (false, task.version + 1);
        }
        Step::Approve(index) => model.tasks[index].is_approved = true,
        Step::Pass(millis) => model.now += millis,
        Step::Tick(millis) => {
            model.now += millis;
            model.settle();
        }
        Step::Execute => model.settle(),
        Step::MoveOld(_) | Step::Pop | Step::Crash | Step::Duplicate | Step::Lose | Step::Forge(_) => {}
    }
}

/// Whether a user action is accepted. Other steps always are.
pub fn is_accepted(model: &Model, step: &Step) -> bool {
    let is_free = |task: &Task| model.waiting(task.kind, task.article).is_none();
    match *step {
        Step::Schedule { kind, article, ahead } => {
            let published = model.waiting(Kind::ArticlePublish, article);
            let is_public = model.articles[article].public.is_some()
                || published.is_some_and(|task| task.due <= model.now + ahead);
            model.waiting(kind, article).is_none() && (kind == Kind::ArticlePublish || is_public)
        }
        Step::Move { index, .. } | Step::Replace(index) => model.tasks[index].state == State::Scheduled,
        Step::PublishNow(index) => model.tasks[index].state == State::Scheduled && !model.is_older(index),
        Step::Cancel(index) => {
            matches!(model.tasks[index].state, State::Scheduled | State::Missed | State::Failed)
        }
        Step::Retry(index) => {
            let task = &model.tasks[index];
            let has_stopped = matches!(task.state, State::Missed | State::Failed);
            has_stopped && is_free(task) && !model.is_older(index)
        }
        Step::Undo(index) => {
            let task = &model.tasks[index];
            let is_ahead = task.before.as_ref().is_some_and(|(until, _)| model.now < *until);
            // A missed task cannot be undone.
            is_ahead && (task.state == State::Scheduled || (task.state == State::Cancelled && is_free(task)))
        }
        Step::MoveOld(_) => false,
        _ => true,
    }
}
