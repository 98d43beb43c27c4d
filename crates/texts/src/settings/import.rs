//! Texts of `/settings/import`.

use domain::imports::{ImportState, ImportSystem, KeptReason};

sets!(settings: ImportTexts);

impl ImportTexts {
    /// Name of a system.
    #[must_use]
    pub fn name_of(self, system: ImportSystem) -> &'static str {
        match system {
            ImportSystem::Wordpress => "WordPress",
            ImportSystem::Ghost => "Ghost",
            ImportSystem::Markdown => self.markdown_name(),
        }
    }

    /// How to get an export of a system.
    #[must_use]
    pub fn hint_of(self, system: ImportSystem) -> &'static str {
        match system {
            ImportSystem::Wordpress => self.wordpress_hint(),
            ImportSystem::Ghost => self.ghost_hint(),
            ImportSystem::Markdown => self.markdown_hint(),
        }
    }

    /// Name of a state.
    #[must_use]
    pub fn state_of(self, state: ImportState) -> &'static str {
        match state {
            ImportState::Checking => self.checking(),
            ImportState::Ready => self.ready(),
            ImportState::Failed => self.failed(),
            ImportState::Running => self.running(),
            ImportState::Done => self.done(),
            ImportState::Interrupted => self.interrupted(),
            ImportState::Undone => self.undone(),
        }
    }

    /// Why an article was kept.
    #[must_use]
    pub fn reason_of(self, why: KeptReason) -> &'static str {
        match why {
            KeptReason::Public => self.kept_public(),
            KeptReason::Text => self.kept_text(),
            KeptReason::Schedule => self.kept_schedule(),
        }
    }
}
