//! Texts of `/settings/tags`.

use crate::number::grouped;

sets!(settings: TagTexts);

impl TagTexts {
    /// Number of articles of a tag.
    #[must_use]
    pub fn articles(self, count: u64) -> String {
        self.articles_of(count, grouped(count))
    }
}
