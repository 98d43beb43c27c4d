//! Claims due deliveries, and collects what is needed to send them.

use super::{
    Dispatcher,
    capacity::{free_slots, is_probing},
    channel_route::{ChannelRoute, DeskServer},
    mail_limits::{self, Allowed},
    policy::{RetryPolicy, options_of},
};
use crate::sender::MailOrigin;
use domain::{
    ChannelId, Timestamp, channel::Endpoint, delivery::Recipient, message::MessageOptions, post::KnownPost,
};
use std::collections::{BTreeSet, HashMap, HashSet};
use store::{
    StoreError, Tx,
    dispatch::{self, ChannelQueue, ClaimedDelivery, LeaseTerms},
    post::{self, PostSource},
};
use uuid::Uuid;

/// Duration of a claim's lease, milliseconds: the guard, one attempt, and time to record it.
const CLAIM_LEASE_MS: i64 = 60_000;
/// Maximum number of claims for one channel in a round, if a limit holds what was claimed.
const MAX_CLAIMS: usize = 64;
/// Maximum number of deliveries claimed in a round. Channels of higher priority claim first, so their messages
/// wait for one round of others at most.
const MAX_CLAIMED_IN_ROUND: i64 = 1_000;
/// Number of deliveries that a channel may claim although others have claimed all of a round: none waits for as
/// long as others are busy.
const MIN_CLAIMED_BY_CHANNEL: i64 = 10;

/// A claimed delivery with all data needed to send it.
pub(super) struct Job {
    pub claimed: ClaimedDelivery,
    pub policy: RetryPolicy,
    pub route: Option<Endpoint>,
    pub options: Option<MessageOptions>,
    pub secrets: Option<Vec<Vec<u8>>>,
    pub claimed_at: Timestamp,
    pub known: Vec<Recipient>,
    /// What a mail says about who caused it.
    pub origin: Option<MailOrigin>,
    /// What is known of the post that it publishes or withdraws.
    pub post: Option<KnownPost>,
}

impl Dispatcher {
    /// Claims due deliveries of the channels this node has locked, in the order of `queues`, with the known
    /// state of their recipients.
    pub(super) async fn claim(
        &self,
        tx: &mut Tx,
        queues: &mut [ChannelQueue],
        locked: &BTreeSet<Uuid>,
        now: Timestamp,
    ) -> Result<Vec<Job>, StoreError> {
        let owner = self.context.node.id.0.simple().to_string();
        let terms = LeaseTerms { node: &owner, now, lease_until: now.plus(CLAIM_LEASE_MS) };
        let (mut jobs, mut left, mut desk) = (Vec::new(), MAX_CLAIMED_IN_ROUND, DeskServer::default());
        for queue in queues.iter_mut().filter(|queue| locked.contains(&queue.id)) {
            let free = free_slots(queue, now);
            if free <= 0 {
                continue;
            }
            let free = free.min(left.max(MIN_CLAIMED_BY_CHANNEL));
            let Some(route) = ChannelRoute::find(tx.conn(), (queue, &mut desk), now).await? else {
                // It is looked at again in a later round.
                queue.next_at = None;
                continue;
            };
            let claimed = allowed(tx, (queue, route.endpoint.as_ref()), (free, now), terms).await?;
            let count = i64::try_from(claimed.len()).unwrap_or(i64::MAX);
            queue.sending += count;
            left = (left - count).max(0);
            if left == 0 {
                queue.next_at = next_round(now);
            }
            if let Some(rate) = queue.sending_rate().filter(|_| count > 0) {
                let ready_at = rate.ready_after(now.millis());
                dispatch::set_rate_ready(tx.conn(), queue.id, ready_at).await?;
                queue.rate_ready_at = Some(ready_at);
            }
            let tried = claimed.iter().map(|(one, _)| one).filter(|one| one.epoch > 1);
            let tried: Vec<Uuid> = tried.map(|one| one.id).collect();
            let mut known = dispatch::recipients::known(tx.conn(), &tried).await?;
            let mut posts = known_posts(tx, route.endpoint.as_ref(), &claimed).await?;
            jobs.extend(claimed.into_iter().map(|(mut claimed, allowed)| {
                let known = known.remove(&claimed.id).unwrap_or_default();
                let post = posts.remove(&claimed.id);
                if let Some(source) = &post {
                    claimed.body = source.fill(claimed.body);
                }
                let post = post.map(|source| source.known);
                Job { known, post, ..self.job((queue, &route), (claimed, allowed), now) }
            }));
        }
        Ok(jobs)
    }

    fn job(
        &self,
        (queue, route): (&ChannelQueue, &ChannelRoute),
        (claimed, allowed): (ClaimedDelivery, Allowed),
        now: Timestamp,
    ) -> Job {
        let options = options_of(&claimed);
        let endpoint = route.endpoint.clone().map(|endpoint| match &options {
            Some(options) => options.applied_to(endpoint),
            None => endpoint,
        });
        let sealed = route.sealed.iter();
        let policy = RetryPolicy::stored(Some(&queue.retry_schedule), Some(&queue.on_unknown_outcome));
        Job {
            policy: policy.with_purpose(&claimed.purpose),
            claimed,
            route: endpoint.map(|endpoint| without(endpoint, &allowed.blocked)),
            options,
            secrets: sealed.map(|sealed| self.context.sender.open_secret(route.owner, sealed)).collect(),
            claimed_at: now,
            known: Vec::new(),
            origin: allowed.origin,
            post: None,
        }
    }
}

/// Returns what is known of the posts of claimed deliveries and their texts, by delivery. Other channels than those that
/// publish posts have none.
async fn known_posts(
    tx: &mut Tx,
    endpoint: Option<&Endpoint>,
    claimed: &[(ClaimedDelivery, Allowed)],
) -> Result<HashMap<Uuid, PostSource>, StoreError> {
    if !endpoint.is_some_and(|endpoint| endpoint.transport().publishes_posts()) {
        return Ok(HashMap::new());
    }
    let ids: Vec<Uuid> = claimed.iter().map(|(one, _)| one.id).collect();
    post::known(tx.conn(), &ids).await
}

/// When a channel goes on that had no turn for all of its due deliveries: at once.
fn next_round(now: Timestamp) -> Option<i64> {
    Some(now.millis() + 1)
}

/// Claims up to `free` deliveries of a channel that may be sent. A limit may hold many of those that are due:
/// they must not be in the way of the others.
async fn allowed(
    tx: &mut Tx,
    (queue, endpoint): (&mut ChannelQueue, Option<&Endpoint>),
    (free, now): (i64, Timestamp),
    terms: LeaseTerms<'_>,
) -> Result<Vec<(ClaimedDelivery, Allowed)>, StoreError> {
    let Some(Endpoint::Mail(route)) = endpoint else {
        let channel = ChannelId(queue.id);
        let mut claimed = Vec::new();
        if endpoint.is_some_and(|endpoint| endpoint.transport().publishes_posts()) {
            post::cancel_superseded(tx.conn(), channel, now).await?;
            // However many checks wait, a publication does not wait for them.
            if !is_probing(queue) {
                claimed = dispatch::claim_changes(tx.conn(), channel, free, terms).await?;
            }
        }
        let left = free - i64::try_from(claimed.len()).unwrap_or(i64::MAX);
        if left > 0 {
            claimed.extend(claim_of(tx, queue, (left, now), terms).await?);
        }
        return Ok(claimed.into_iter().map(|one| (one, Allowed::default())).collect());
    };
    mail_limits::release(tx, ChannelId(queue.id), now).await?;
    let mut all = Vec::new();
    for _ in 0..MAX_CLAIMS {
        let missing = free - i64::try_from(all.len()).unwrap_or(i64::MAX);
        let claimed = match missing > 0 {
            true => claim_of(tx, queue, (missing, now), terms).await?,
            false => Vec::new(),
        };
        if claimed.is_empty() {
            return Ok(all);
        }
        all.extend(mail_limits::check(tx, (queue, route), claimed, now).await?);
    }
    queue.next_at = next_round(now);
    Ok(all)
}

/// Leaves out recipients that get no mail.
fn without(route: Endpoint, blocked: &HashSet<String>) -> Endpoint {
    match route {
        Endpoint::Mail(mut route) if !blocked.is_empty() => {
            route.to.retain(|to| !blocked.contains(&to.to_lowercase()));
            Endpoint::Mail(route)
        }
        other => other,
    }
}

/// Claims up to `free` deliveries of a channel. One that fails gets a message which has not failed yet.
async fn claim_of(
    tx: &mut Tx,
    queue: &ChannelQueue,
    (free, now): (i64, Timestamp),
    terms: LeaseTerms<'_>,
) -> Result<Vec<ClaimedDelivery>, StoreError> {
    let channel = ChannelId(queue.id);
    if !is_probing(queue) {
        return dispatch::claim(tx.conn(), channel, free, terms).await;
    }
    match dispatch::next_probe(tx.conn(), channel, now).await? {
        Some(probe) => dispatch::claim_one(tx.conn(), channel, probe, terms).await,
        None => Ok(Vec::new()),
    }
}
