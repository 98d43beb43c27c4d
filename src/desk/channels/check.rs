//! What an admin may decide about a channel.

use crate::{channels::guard::Rules, desk::people};
use domain::{
    Refusal,
    channel::{ChannelEdit, Happening},
    limit::{ADDRESS_BYTES, CONCURRENCY_MAX},
    refusal::Problem,
};

/// The settings as they are stored, if they can be.
pub fn checked(edit: ChannelEdit, rules: Rules) -> Result<ChannelEdit, Refusal> {
    let name = people::checked_name("name", &edit.name)?;
    let address = address(&edit.address, rules)?;
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
    Ok(ChannelEdit { name, address, events, ..edit })
}

fn address(typed: &str, rules: Rules) -> Result<String, Refusal> {
    let typed = typed.trim();
    if typed.is_empty() {
        return Err(Refusal::invalid("address", Problem::Empty));
    }
    if typed.len() > ADDRESS_BYTES {
        let max = u32::try_from(ADDRESS_BYTES).unwrap_or(u32::MAX);
        return Err(Refusal::invalid("address", Problem::TooLarge { max }));
    }
    let mut url = rules.check(typed).map_err(|why| Refusal::invalid("address", Problem::Address { why }))?;
    url.set_fragment(None);
    Ok(url.into())
}
