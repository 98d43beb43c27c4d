//! Fields of a checked text, actions and verdicts.

use crate::state::{ParseEnumError, string_enum};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

string_enum! {
    /// Where a hit is.
    Field {
        /// The title.
        Title = "title",
        /// The summary.
        Summary = "summary",
        /// The text.
        Text = "text",
    }
}

string_enum! {
    /// What a list does with a text that has one of its terms; the strictest last.
    Action {
        /// The term is replaced.
        Replace = "replace",
        /// The term is shown.
        Flag = "flag",
        /// A reviewer must approve the text.
        NeedsApproval = "needs_approval",
        /// The text is not published.
        Block = "block",
    }
}

string_enum! {
    /// Result of a check; the strictest last.
    Verdict {
        /// No hits.
        Clean = "clean",
        /// Hits that change nothing, or that are replaced.
        Flag = "flag",
        /// A reviewer must approve the text.
        NeedsApproval = "needs_approval",
        /// The text is not published.
        Block = "block",
    }
}

string_enum! {
    /// Language of a word list; only a label.
    ListLanguage {
        /// Any.
        Any = "any",
        /// English.
        En = "en",
        /// Chinese.
        Zh = "zh",
    }
}

string_enum! {
    /// How a word list got a state of its history.
    ListChange {
        /// It was created.
        Create = "create",
        /// Its settings were changed.
        Settings = "change",
        /// Its terms were changed.
        Terms = "set_terms",
        /// An earlier state was restored.
        Restore = "restore",
        /// It was so before the states were kept.
        Earlier = "earlier",
    }
}

impl From<Action> for Verdict {
    fn from(action: Action) -> Self {
        match action {
            Action::Replace | Action::Flag => Self::Flag,
            Action::NeedsApproval => Self::NeedsApproval,
            Action::Block => Self::Block,
        }
    }
}
