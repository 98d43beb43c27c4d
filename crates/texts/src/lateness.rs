//! Why a task was executed late, as a sentence.

use crate::tasks::TaskTexts;
use crate::{Language, punctuation, time};
use domain::late_cause::{Impairment, LateCause, LateExplanation, Stage};

sets!(lateness: LatenessTexts);

impl LatenessTexts {
    /// Sentence for the cause.
    #[must_use]
    pub fn cause(self, late: &LateExplanation) -> &'static str {
        match (late.cause, late.stage) {
            (LateCause::Impaired(Impairment::Off), _) => self.off(),
            (LateCause::Impaired(Impairment::Database), _) => self.database(),
            (LateCause::Impaired(Impairment::Clock), _) => self.clock(),
            (LateCause::Impaired(Impairment::Paused), _) => self.paused(),
            (LateCause::Impaired(Impairment::Hints), _) => self.hints(),
            (LateCause::Retried, _) => self.retried(),
            (LateCause::Stage, Stage::Hinted) => self.hinted(),
            (LateCause::Stage, Stage::Moved) => self.moved(),
            (LateCause::Stage, Stage::Popped) => self.popped(),
            (LateCause::Stage, Stage::Swept) => self.swept(),
            (LateCause::Stage, Stage::Started) => self.started(),
            (LateCause::Stage, Stage::Executed) => self.executed(),
        }
    }
}

/// The cause, and the stage that took longest.
#[must_use]
pub fn sentence(language: Language, late: &LateExplanation) -> String {
    let texts = LatenessTexts(language);
    let stage = TaskTexts(language).stage_of(late.stage).to_owned();
    let gap = punctuation::gap(language);
    format!("{}{gap}{}", texts.cause(late), texts.most(stage, time::measured(language, late.duration_ms)))
}
