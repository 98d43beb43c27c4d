//! Texts of the page with the settings of the queue.

use domain::Priority;

sets!(engine: QueueTexts);

impl QueueTexts {
    /// Priority of a channel in one word.
    #[must_use]
    pub fn priority_of(self, priority: Priority) -> &'static str {
        match priority {
            Priority::High => self.high(),
            Priority::Normal => self.normal(),
            Priority::Low => self.low(),
        }
    }
}
