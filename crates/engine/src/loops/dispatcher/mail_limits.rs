//! Mails before they are sent: the limits of those to addresses outside the desk, addresses that get
//! none, and who caused them.

use super::policy::options_of;
use crate::sender::{MailOrigin, MailReason};
use domain::{
    ChannelId, Timestamp,
    account::Language,
    channel::MailEndpoint,
    mail_limits::{HeldReason, MailLimits},
};
use std::collections::{HashMap, HashSet};
use store::{
    StoreError, Tx,
    dispatch::{self, ChannelQueue, ClaimedDelivery, PutBack},
    mail::{
        blocked,
        held::{self, NewHeldMail},
        origin::{self, OriginRow},
        usage,
    },
    setting,
};
use uuid::Uuid;

/// Maximum number of held mails that are looked at in one round.
const MAX_HELD: i64 = 1_000;
/// Begins of the keys of messages. The server checks that programs use no such keys.
const REASONS: [(&str, MailReason); 7] = [
    ("invite:answers:", MailReason::Notification),
    ("invite:offers:", MailReason::Notification),
    ("invite:", MailReason::Invitation),
    ("reminder:notifications:", MailReason::Notification),
    ("reminder:", MailReason::Reminder),
    ("rule:", MailReason::Rule),
    ("", MailReason::Message),
];

/// What is said about a mail that may be sent.
#[derive(Debug, Clone, Default)]
pub struct Allowed {
    /// Who caused it.
    pub origin: Option<MailOrigin>,
    /// Its addresses that get no mail.
    pub blocked: HashSet<String>,
}

/// The addresses of claimed mails, and what is known about them.
struct Facts {
    limits: MailLimits,
    desk: String,
    origins: HashMap<Uuid, OriginRow>,
    /// Languages of the accounts with one of the addresses.
    languages: HashMap<String, String>,
    blocked: HashSet<String>,
    counted: HashSet<Uuid>,
}

impl Facts {
    async fn load(
        tx: &mut Tx,
        claimed: &[ClaimedDelivery],
        route: &MailEndpoint,
    ) -> Result<Self, StoreError> {
        let ids: Vec<Uuid> = claimed.iter().map(|one| one.id).collect();
        let personal = claimed.iter().flat_map(|one| recipients(one, route).0);
        let addresses: Vec<String> = personal.chain(route.to.iter().map(|to| to.to_lowercase())).collect();
        Ok(Self {
            limits: usage::limits(tx.conn()).await?,
            desk: setting::site_settings(tx.conn()).await?.title,
            origins: origin::origins(tx.conn(), &ids).await?,
            languages: origin::languages(tx.conn(), &addresses).await?,
            blocked: blocked::among(tx.conn(), &addresses).await?,
            counted: usage::counted(tx.conn(), &ids).await?,
        })
    }

    /// What the mail says about who caused it.
    fn origin(&self, one: &ClaimedDelivery, to: &[String], queue: &ChannelQueue) -> Option<MailOrigin> {
        let (desk, channel) = (self.desk.clone(), ChannelId(queue.id));
        let Some(row) = self.origins.get(&one.id) else {
            let language = Language::En;
            let (name, reason) = (queue.name.clone(), MailReason::Channel);
            return Some(MailOrigin { name, reason, desk, channel, language });
        };
        if row.key.starts_with("mail-test:") {
            return None;
        }
        let language = match to {
            [only] => self.languages.get(only).or(row.language.as_ref()),
            _ => row.language.as_ref(),
        };
        let found = REASONS.iter().find(|(begin, _)| row.key.starts_with(begin));
        Some(MailOrigin {
            name: row.name.clone().unwrap_or_default(),
            reason: found.map_or(MailReason::Message, |(_, reason)| *reason),
            desk,
            channel,
            language: language.and_then(|word| word.parse().ok()).unwrap_or(Language::En),
        })
    }
}

/// Returns the addresses of a mail in lower case, and whether it names them itself.
fn recipients(one: &ClaimedDelivery, route: &MailEndpoint) -> (Vec<String>, bool) {
    let own = options_of(one).map(|options| options.to).unwrap_or_default();
    let lower = |all: &[String]| all.iter().map(|to| to.to_lowercase()).collect();
    if own.is_empty() { (lower(&route.to), false) } else { (lower(&own), true) }
}

/// Whether the mail has lost its meaning while it waited.
fn is_outdated(one: &ClaimedDelivery, now: Timestamp) -> bool {
    options_of(one).and_then(|options| options.valid_until).is_some_and(|until| until <= now)
}

fn rank(one: &ClaimedDelivery) -> i32 {
    options_of(one).unwrap_or_default().urgency.rank()
}

/// Checks claimed mails. Those that a limit holds are put back, and those of which every address is blocked
/// are cancelled; both are shown to the accounts that caused them. Returns the others.
///
/// Only mails that name their addresses themselves are limited: the recipients of a channel were entered by
/// an admin.
pub async fn check(
    tx: &mut Tx,
    (queue, route): (&ChannelQueue, &MailEndpoint),
    claimed: Vec<ClaimedDelivery>,
    now: Timestamp,
) -> Result<Vec<(ClaimedDelivery, Allowed)>, StoreError> {
    if claimed.is_empty() {
        return Ok(Vec::new());
    }
    usage::lock(tx.conn()).await?;
    let facts = Facts::load(tx, &claimed, route).await?;
    let (mut allowed, mut put_back) = (Vec::new(), Vec::new());
    for one in claimed {
        if is_outdated(&one, now) {
            dispatch::refuse(tx.conn(), (one.id, one.epoch), OUTDATED, now).await?;
            continue;
        }
        let (to, is_personal) = recipients(&one, route);
        let origin = facts.origin(&one, &to, queue);
        let account = facts.origins.get(&one.id).map(|row| row.owner_id);
        let Some(account) = account.filter(|_| is_personal) else {
            allowed.push((one, Allowed { origin, blocked: facts.blocked.clone() }));
            continue;
        };
        if to.iter().all(|to| facts.blocked.contains(to)) {
            refuse(tx, &one, (&to, account), now).await?;
            continue;
        }
        let is_outside = |to: &&String| !facts.languages.contains_key(*to) && !facts.blocked.contains(*to);
        let outside: Vec<&String> = to.iter().filter(is_outside).collect();
        let until = match facts.counted.contains(&one.id) {
            true => None,
            false => hold(tx, (&facts.limits, &outside), account, now).await?,
        };
        match until {
            Some((reason, until, address)) => {
                let (delivery, rank) = (one.id, rank(&one));
                let new = NewHeldMail { delivery, address, account, reason, rank, until: Some(until) };
                held::hold(tx.conn(), &new, now).await?;
                put_back.push(PutBack { id: one.id, epoch: one.epoch, until });
            }
            None => {
                for address in outside {
                    usage::record(tx.conn(), (one.id, address), account, now).await?;
                }
                allowed.push((one, Allowed { origin, blocked: facts.blocked.clone() }));
            }
        }
    }
    dispatch::put_back(tx.conn(), &put_back).await?;
    Ok(allowed)
}

/// Returns the limit that holds a mail to these addresses for longest, and for which of them.
async fn hold<'a>(
    tx: &mut Tx,
    (limits, outside): (&MailLimits, &[&'a String]),
    account: Uuid,
    now: Timestamp,
) -> Result<Option<(HeldReason, Timestamp, &'a str)>, StoreError> {
    let mut longest: Option<(HeldReason, Timestamp, &str)> = None;
    for address in outside {
        let used = usage::find(tx.conn(), account, address, now).await?;
        if let Some((reason, until)) = limits.hold(&used, now)
            && longest.is_none_or(|(_, known, _)| known < until)
        {
            longest = Some((reason, until, address.as_str()));
        }
    }
    Ok(longest)
}

/// Cancels a mail all of whose addresses are blocked.
async fn refuse(
    tx: &mut Tx,
    one: &ClaimedDelivery,
    (to, account): (&[String], Uuid),
    now: Timestamp,
) -> Result<(), StoreError> {
    dispatch::refuse(tx.conn(), (one.id, one.epoch), BLOCKED, now).await?;
    let address = to.first().map(String::as_str).unwrap_or_default();
    let (delivery, rank) = (one.id, rank(one));
    let new = NewHeldMail { delivery, address, account, reason: HeldReason::Blocked, rank, until: None };
    held::hold(tx.conn(), &new, now).await
}

/// What the log of a delivery says about a blocked address.
const BLOCKED: &str = "the address gets no mail from this desk: its owner or an admin has blocked it";

/// What the log of a delivery says about a mail that waited for too long.
const OUTDATED: &str = "what it says was over before it could be sent";

/// Makes held mails of a channel due that the limits allow now: cancellations first, then new times.
pub async fn release(tx: &mut Tx, channel: ChannelId, now: Timestamp) -> Result<(), StoreError> {
    let due = held::due(tx.conn(), channel.0, now, MAX_HELD).await?;
    if due.is_empty() {
        return Ok(());
    }
    let limits = usage::limits(tx.conn()).await?;
    let (mut of_account, mut of_address, mut of_desk) = (HashMap::new(), HashMap::new(), 0);
    for one in due {
        let mut used = usage::find(tx.conn(), one.account_id, &one.address, now).await?;
        // What this round releases counts already.
        let (account, address) = (
            of_account.entry(one.account_id).or_insert(0),
            of_address.entry(one.address.clone()).or_insert(0),
        );
        used.account.count += *account;
        used.address.count += *address;
        used.desk.count += of_desk;
        match limits.hold(&used, now) {
            Some(longer) => held::prolong(tx.conn(), one.delivery_id, longer).await?,
            None => {
                (*account, *address, of_desk) = (*account + 1, *address + 1, of_desk + 1);
                // Claims follow this time: the more urgent ones come first.
                let at = now.plus(i64::from(one.rank) - 2);
                held::release(tx.conn(), one.delivery_id, at).await?;
            }
        }
    }
    Ok(())
}
