//! What the server hands to pages and server functions. The only place that is compiled for the server alone.

use domain::{Actor, Desk, Refusal, person::SessionSecret};
use leptos::prelude::use_context;

/// Who sent the request. The web layer provides it, and the [`Desk`], as context to every page and server function.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Who is logged in, if somebody is.
    pub actor: Option<Actor>,
    /// The session's secret, for ending it.
    pub session: Option<SessionSecret>,
    /// Address they come from.
    pub address: String,
    /// How their browser introduces itself.
    pub agent: String,
    /// Whether cookies are `Secure` and `__Host-`.
    pub is_secure: bool,
    /// Where the desk is reached, without a slash at its end.
    pub public_url: String,
}

/// The desk of this server.
pub fn desk() -> Result<Desk, Refusal> {
    use_context().ok_or_else(|| Refusal::Internal { reference: "no desk".to_owned() })
}

/// Who sent the request.
pub fn caller() -> Result<Caller, Refusal> {
    use_context().ok_or_else(|| Refusal::Internal { reference: "no caller".to_owned() })
}

/// Who is logged in; `LogIn` if nobody is.
pub fn actor() -> Result<Actor, Refusal> {
    caller()?.actor.ok_or(Refusal::LogIn)
}
