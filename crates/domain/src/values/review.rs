//! States of reviews, and the items of the checklist.

use super::state::{ParseEnumError, string_enum};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

string_enum! {
    /// State of a review.
    ReviewState {
        /// Waits for a reviewer.
        Submitted = "submitted",
        /// Approved.
        Approved = "approved",
        /// Sent back by a reviewer.
        SentBack = "sent_back",
        /// Waits for a reviewer after its deadline, or because of its words.
        Held = "held",
        /// Sent back by its deadline.
        Expired = "expired",
    }
}

string_enum! {
    /// What is checked.
    CheckItem {
        /// It has a title.
        Title = "title",
        /// It has a summary.
        Summary = "summary",
        /// Every picture has a description.
        AltTexts = "alt_texts",
        /// No "TK" is left, the mark of a missing piece.
        Marks = "marks",
        /// No level of the headings is skipped.
        Headings = "headings",
        /// Every link answered within [`crate::review::workflow::checklist::LINK_ANSWER_AGE_MS`].
        Links = "links",
        /// Every link to an article or a file of this desk leads to one.
        OwnLinks = "own_links",
    }
}
