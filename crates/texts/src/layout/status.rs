//! Texts of the state of the desk.

use crate::{Language, punctuation};

sets!(layout: StatusTexts);

impl StatusTexts {
    /// Who paused publishing, and what follows. `until`: when the pause ends by itself.
    #[must_use]
    pub fn pause_hint(self, until: Option<String>, is_mine: bool) -> String {
        let who = if is_mine { self.paused_by_you() } else { self.paused_by_admin() };
        let what = until.map_or_else(|| self.paused_open().to_owned(), |until| self.paused_until(until));
        format!("{who}{}{what}", punctuation::gap(self.0))
    }

    /// Number of channels that do not deliver.
    #[must_use]
    pub fn channels_failing(self, count: u64) -> String {
        match (self.0, count) {
            (Language::En, 1) => "1 channel is failing".to_owned(),
            (Language::En, n) => format!("{n} channels are failing"),
            (Language::Zh, n) => format!("{n} 个渠道发送失败"),
        }
    }
}
