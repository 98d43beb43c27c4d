//! What outlives a session asks for the password again: a stolen cookie alone makes nothing that stays.

use super::broken;
use domain::{Actor, Refusal, Timestamp, refusal::Problem};
use store::{Conn, session};

/// Refuses an actor whose session was not given its password lately, or has ended meanwhile. API tokens and the command line pass.
///
/// The session is held until the transaction ends: a change of the password waits, and then ends what was made.
pub async fn require(conn: Conn<'_>, actor: &Actor, now: Timestamp) -> Result<(), Refusal> {
    let Some(session) = &actor.session else { return Ok(()) };
    if actor.needs_password(now) {
        return Err(Refusal::invalid("password", Problem::PasswordAgain));
    }
    if session::hold(conn, &session.hash).await.map_err(broken)? { Ok(()) } else { Err(Refusal::LogIn) }
}
