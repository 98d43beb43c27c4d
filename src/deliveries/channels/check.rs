//! Validates the settings of a channel.

use super::{broker, endpoint};
use crate::{accounts, senders::egress::Rules};
use domain::{
    DomainError,
    channel::{ChannelEvent, ChannelSettings, Endpoint, WebhookEndpoint},
    error::ValidationError,
    input_limits::{MAX_CHANNEL_CONCURRENCY, MAX_CHANNEL_RATE},
};

/// Validates and normalises the settings.
pub fn checked(edit: ChannelSettings, rules: &Rules) -> Result<ChannelSettings, DomainError> {
    let name = accounts::checked_name("name", &edit.name)?;
    let route = checked_endpoint(edit.endpoint, rules)?;
    let mut events: Vec<ChannelEvent> =
        edit.events.into_iter().filter(|event| ChannelEvent::CHOICES.contains(event)).collect();
    events.sort_unstable();
    events.dedup();
    if !(1..=MAX_CHANNEL_CONCURRENCY).contains(&edit.concurrency) {
        let problem = ValidationError::NotBetween { min: 1, max: MAX_CHANNEL_CONCURRENCY.into() };
        return Err(DomainError::invalid("concurrency", problem));
    }
    if edit.rate.is_some_and(|rate| !(1..=MAX_CHANNEL_RATE).contains(&rate)) {
        let problem = ValidationError::NotBetween { min: 1, max: MAX_CHANNEL_RATE.into() };
        return Err(DomainError::invalid("rate", problem));
    }
    if route.transport().publishes_posts() {
        // Articles are chosen for it instead, and it sends one delivery after the other.
        return Ok(ChannelSettings { name, endpoint: route, events: Vec::new(), concurrency: 1, ..edit });
    }
    Ok(ChannelSettings { name, endpoint: route, events, ..edit })
}

/// Validates and normalises an endpoint by the egress rules.
fn checked_endpoint(route: Endpoint, rules: &Rules) -> Result<Endpoint, DomainError> {
    Ok(match route {
        Endpoint::Webhook(route) => {
            Endpoint::Webhook(WebhookEndpoint { url: endpoint::url("url", &route.url, rules)? })
        }
        Endpoint::Mail(route) => Endpoint::Mail(endpoint::mail(route, rules)?),
        Endpoint::Sms(route) => Endpoint::Sms(endpoint::sms(route, rules)?),
        Endpoint::Amqp(route) => Endpoint::Amqp(broker::checked(route, rules)?),
        Endpoint::WordPress(route) => Endpoint::WordPress(endpoint::wordpress(route, rules)?),
        Endpoint::Ghost(route) => Endpoint::Ghost(endpoint::ghost(&route, rules)?),
    })
}
