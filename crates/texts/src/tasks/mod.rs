//! Texts of tasks: states, kinds, actions, the list and the task page.

pub mod activity;
pub mod bulk;
pub mod result;
pub mod sentence;
pub mod zone_move;

use crate::{event_verb::is_publication, meetings::MeetingTexts};
use domain::{Kind, State, late_cause::Stage, task::Phase};

sets!(tasks: TaskTexts);

impl TaskTexts {
    /// State as the user interface shows it, with *due* derived from the clock.
    #[must_use]
    pub fn phase(self, phase: Phase, kind: Kind) -> &'static str {
        match phase {
            Phase::Scheduled => self.scheduled(),
            Phase::Due => self.due(),
            Phase::Executed => self.done(kind),
            Phase::Failed => self.failed(),
            Phase::Cancelled => self.cancelled(),
            Phase::Missed => self.missed(),
        }
    }

    /// Stored state.
    #[must_use]
    pub fn state_of(self, state: State) -> &'static str {
        match state {
            State::Scheduled => self.scheduled(),
            State::Executed => self.executed(),
            State::Failed => self.failed(),
            State::Cancelled => self.cancelled(),
            State::Missed => self.missed(),
        }
    }

    /// State of an executed task of this kind.
    #[must_use]
    pub fn done(self, kind: Kind) -> &'static str {
        match kind {
            Kind::ArticlePublish | Kind::Other("release.publish") => self.done_published(),
            Kind::ArticleUnpublish => self.done_unpublished(),
            Kind::Other("message.send" | "reminder.send" | "reminder.bell" | "signal.send") => {
                self.done_sent()
            }
            Kind::Other("rule.fire") => self.done_acted(),
            Kind::Other(_) => self.done_executed(),
        }
    }

    /// Action of a task.
    #[must_use]
    pub fn kind(self, kind: Kind) -> &'static str {
        match kind {
            Kind::ArticlePublish => self.publish(),
            Kind::ArticleUnpublish => self.unpublish(),
            Kind::Other("message.send") => self.send_message(),
            Kind::Other("reminder.send") => self.send_reminder(),
            Kind::Other("reminder.bell") => self.show_reminder(),
            Kind::Other("rule.fire") => self.fire_rule(),
            Kind::Other("rule.update_waits") => self.update_waits(),
            Kind::Other("signal.send") => self.send_signal(),
            Kind::Other("signal.refuse") => self.refuse_signals(),
            Kind::Other("release.publish") => self.publish_release(),
            Kind::Other("release.revert") => self.revert_release(),
            Kind::Other("review.decide") => self.review_deadline(),
            Kind::Other("review.warn") => self.review_warning(),
            Kind::Other("review.warn_again") => self.review_last_warning(),
            Kind::Other(word) => MeetingTexts(self.0).task_of(word).unwrap_or(word),
        }
    }

    /// Label of the button that undoes a change with this verb, see [`domain::task::UndoOffer`].
    #[must_use]
    pub fn undo_of(self, verb: &str) -> &'static str {
        match verb {
            "publish_now" => self.undo_publish(),
            "unpublish" => self.undo_unpublish(),
            "schedule" => self.undo_schedule(),
            "reschedule" => self.undo_reschedule(),
            "cancel" => self.undo_cancel(),
            "dismiss" => self.undo_dismiss(),
            "replace_revision" => self.undo_replace(),
            _ => self.undo(),
        }
    }

    /// What ends a stage.
    #[must_use]
    pub fn stage_of(self, stage: Stage) -> &'static str {
        match stage {
            Stage::Hinted => self.stage_hinted(),
            Stage::Moved => self.stage_moved(),
            Stage::Popped => self.stage_popped(),
            Stage::Swept => self.stage_swept(),
            Stage::Started => self.stage_started(),
            Stage::Executed => self.stage_executed(),
        }
    }

    /// Label of the button that cancels the task: an article is unscheduled.
    #[must_use]
    pub fn cancel_of(self, kind: Kind) -> &'static str {
        if is_publication(kind) { self.unschedule() } else { self.cancel() }
    }

    /// Label of the button that executes the task now.
    #[must_use]
    pub fn run_now(self, kind: Kind) -> &'static str {
        match kind {
            Kind::ArticlePublish | Kind::Other("release.publish") => self.publish_now(),
            Kind::ArticleUnpublish => self.unpublish_now(),
            Kind::Other(_) => self.run_now_other(),
        }
    }
}
