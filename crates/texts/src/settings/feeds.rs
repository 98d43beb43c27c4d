//! Texts of the page of feeds.

use domain::calendar::FeedKind;

sets!(settings: FeedTexts);

impl FeedTexts {
    /// Name of a feed.
    #[must_use]
    pub fn name(self, kind: FeedKind, room: String) -> String {
        match kind {
            FeedKind::Person => self.person().to_owned(),
            FeedKind::Desk => self.desk().to_owned(),
            FeedKind::Room => self.of_room(room),
        }
    }
}
