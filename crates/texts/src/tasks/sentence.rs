//! Texts of the sentence on the task page.

use crate::punctuation;

sets!(tasks: SentenceTexts);

impl SentenceTexts {
    /// Separator of the parts of a sentence.
    #[must_use]
    pub fn comma(self) -> &'static str {
        punctuation::comma(self.0)
    }

    /// End of a sentence.
    #[must_use]
    pub fn full_stop(self) -> &'static str {
        punctuation::full_stop(self.0)
    }
}
