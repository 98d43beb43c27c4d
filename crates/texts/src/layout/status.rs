//! Texts of the state of the desk.

use crate::punctuation;

sets!(layout: StatusTexts);

impl StatusTexts {
    /// Who paused publishing, and what follows. `until`: when the pause ends by itself.
    #[must_use]
    pub fn pause_hint(self, until: Option<String>, is_mine: bool) -> String {
        let who = if is_mine { self.paused_by_you() } else { self.paused_by_admin() };
        let what = until.map_or_else(|| self.paused_open().to_owned(), |until| self.paused_until(until));
        format!("{who}{}{what}", punctuation::gap(self.0))
    }
}
