//! Texts of moving items in the calendar.

sets!(calendar: MovingTexts);

impl MovingTexts {
    /// A time with the number of conflicts, if there are any.
    #[must_use]
    pub fn with_conflicts(self, when: String, conflicts: u32) -> String {
        let separator = crate::punctuation::comma(self.0);
        match conflicts {
            0 => when,
            1 => format!("{when}{separator}{}", self.one_conflict()),
            more => format!("{when}{separator}{}", self.conflicts(more)),
        }
    }
}
