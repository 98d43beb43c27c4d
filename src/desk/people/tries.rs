//! How often somebody may try a password: leaky buckets in SQL, shared by all nodes.

use super::PeopleDesk;
use crate::{
    client::{client_key, parse_address, site_key},
    desk::broken,
    secret,
};
use domain::Refusal;
use store::{
    Conn, StoreError, Who,
    limit::{self, Bucket},
};
use uuid::Uuid;

/// Tries at one account: ten at once, then one in 41 seconds, fewer than 100 in any hour.
const ACCOUNT: Bucket = Bucket { cost: 41_000, tries: 10 };
/// Tries from one client, at whatever account.
const CLIENT: Bucket = Bucket { cost: 6_000, tries: 60 };
/// Tries from one site with IPv6, which may have many clients.
const SITE: Bucket = Bucket { cost: 1_500, tries: 240 };
/// Tries from everywhere, without those of known browsers.
const ALL: Bucket = Bucket { cost: 250, tries: 400 };

/// The buckets that a try fills.
pub struct Tries(Vec<(String, Bucket)>);

impl Tries {
    /// Those of a log-in. A known browser has one of its own: no stranger can fill it.
    pub fn to_log_in(email: &str, address: &str, browser: Option<Uuid>) -> Self {
        if browser.is_some() {
            return Self::to_confirm(email, browser);
        }
        let ip = parse_address(address);
        let client = ip.map_or_else(|| address.to_owned(), client_key);
        let mut buckets = vec![(format!("address:{client}"), CLIENT)];
        buckets.extend(ip.and_then(site_key).map(|site| (format!("address:{site}"), SITE)));
        buckets.push(("all".to_owned(), ALL));
        buckets.push((format!("account:{}", secret::hash(email)), ACCOUNT));
        Self(buckets)
    }

    /// Those of a password that a session is asked for once more: the browser's, else the account's.
    pub fn to_confirm(email: &str, browser: Option<Uuid>) -> Self {
        let name = match browser {
            Some(browser) => format!("browser:{}", browser.simple()),
            None => format!("account:{}", secret::hash(email)),
        };
        Self(vec![(name, ACCOUNT)])
    }

    /// Takes a try, before anything is looked at. `TooMany` if one of the buckets is full: then none is filled.
    pub async fn take(&self, desk: &PeopleDesk) -> Result<(), Refusal> {
        match self.fill(desk).await.map_err(broken)? {
            None => Ok(()),
            Some(millis) => {
                let seconds = u32::try_from(millis.saturating_add(999) / 1_000).unwrap_or(u32::MAX);
                Err(Refusal::TooMany { seconds })
            }
        }
    }

    async fn fill(&self, desk: &PeopleDesk) -> Result<Option<i64>, StoreError> {
        let now = desk.parts.clock.now();
        let mut tx = desk.parts.store.begin(Who::People).await?;
        for (name, bucket) in &self.0 {
            if let Some(wait) = limit::take(tx.conn(), name, *bucket, now).await? {
                tx.rollback().await?;
                return Ok(Some(wait));
            }
        }
        tx.commit().await?;
        Ok(None)
    }

    /// Gives the try back: it was a good one.
    pub async fn give_back(&self, mut conn: Conn<'_>) -> Result<(), StoreError> {
        for (name, bucket) in &self.0 {
            limit::give_back(conn.again(), name, *bucket).await?;
        }
        Ok(())
    }
}
