//! A revision that somebody else saved while this text was written.

use super::copy::Text;
use domain::Refusal;

/// What somebody else saved meanwhile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theirs {
    /// Number of their revision.
    pub revision: i32,
    /// Their text.
    pub text: Text,
}

impl Theirs {
    /// The revision a refusal tells of, if it tells of one.
    #[must_use]
    pub fn of(refusal: &Refusal) -> Option<Self> {
        match refusal {
            Refusal::TextConflict { revision, title, body } => {
                Some(Self { revision: *revision, text: Text { title: title.clone(), body: body.clone() } })
            }
            _ => None,
        }
    }
}
