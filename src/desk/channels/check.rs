//! What an admin may decide about a channel.

use super::route;
use crate::{channels::guard::Rules, desk::people};
use domain::{
    Refusal,
    channel::{ChannelEdit, Happening},
    limit::CONCURRENCY_MAX,
    refusal::Problem,
};

/// The settings as they are stored, if they can be.
pub fn checked(edit: ChannelEdit, rules: &Rules) -> Result<ChannelEdit, Refusal> {
    let name = people::checked_name("name", &edit.name)?;
    let route = route::checked(edit.route, rules)?;
    let mut events: Vec<Happening> =
        edit.events.into_iter().filter(|event| Happening::CHOICES.contains(event)).collect();
    events.sort_unstable();
    events.dedup();
    if events.is_empty() {
        return Err(Refusal::invalid("events", Problem::Empty));
    }
    if !(1..=CONCURRENCY_MAX).contains(&edit.concurrency) {
        let why = format!("concurrency must be between 1 and {CONCURRENCY_MAX}");
        return Err(Refusal::invalid("concurrency", Problem::Unreadable { why }));
    }
    Ok(ChannelEdit { name, route, events, ..edit })
}
