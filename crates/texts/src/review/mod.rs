//! Texts of the pages of reviews.

pub mod words;

sets!(review: ReviewTexts, ReviewSettingsTexts, WaitingTexts);

impl WaitingTexts {
    /// How many articles wait.
    #[must_use]
    pub fn count(self, n: u64) -> String {
        if n == 1 { self.one().to_owned() } else { self.many(n) }
    }

    /// The settings were saved, and this number of articles waits on.
    #[must_use]
    pub fn kept(self, n: u64) -> String {
        if n == 1 { self.kept_one().to_owned() } else { self.kept_many(n) }
    }

    /// The settings were saved, and this number of articles approved.
    #[must_use]
    pub fn published(self, n: u64) -> String {
        if n == 1 { self.published_one().to_owned() } else { self.published_many(n) }
    }

    /// The settings were saved, and this number of articles made drafts.
    #[must_use]
    pub fn drafts(self, n: u64) -> String {
        if n == 1 { self.drafts_one().to_owned() } else { self.drafts_many(n) }
    }
}

sets!(review: CommentTexts, CheckTexts);
