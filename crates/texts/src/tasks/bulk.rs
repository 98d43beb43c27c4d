//! Texts of changes of many tasks.

sets!(tasks: BulkTexts);

impl BulkTexts {
    /// The changes, by their words.
    #[must_use]
    pub fn changes(self) -> Vec<(&'static str, &'static str)> {
        vec![
            ("shift", self.shift()),
            ("move_to_day", self.move_to_day()),
            ("to_slots", self.to_slots()),
            ("cancel", self.cancel()),
            ("retry", self.retry()),
            ("run_now", self.run_now()),
        ]
    }

    /// The changes of articles themselves, by their words.
    #[must_use]
    pub fn article_changes(self) -> [(&'static str, &'static str); 5] {
        [
            ("assign", self.assign()),
            ("add_tag", self.add_tag()),
            ("remove_tag", self.remove_tag()),
            ("submit", self.submit()),
            ("approve", self.approve()),
        ]
    }

    /// The units of a shift.
    #[must_use]
    pub fn units(self) -> Vec<(&'static str, &'static str)> {
        vec![("days", self.days()), ("hours", self.hours()), ("minutes", self.minutes())]
    }
}
