//! Forms that work with and without JavaScript, and lose nothing.
//!
//! A form posts to a server function. With JavaScript the refusal comes back as its error. Without, the web layer runs the
//! function, and if it was refused answers with the page the form stood on (its hidden field `from`), status 422, and an
//! [`Answer`] in the context: the page shows the refusal and puts back what was typed.

use domain::Refusal;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex};

/// Where a server function leaves its refusal for the web layer. Provided as context to every server function.
#[derive(Clone, Debug, Default)]
pub struct Outcome(pub Arc<Mutex<Option<Refusal>>>);

/// A refused form and what was typed into it. Provided as context to the page that answers it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Path of the server function, e.g. `/fn/schedule`.
    pub function: String,
    /// Names and values as sent; never passwords.
    pub fields: Vec<(String, String)>,
    /// Why it was refused.
    pub refusal: Refusal,
}
