//! Providers of OpenID Connect, and who accounts are at them.

pub mod attempt;

use crate::{
    Conn, StoreError,
    db::with_conn,
    json_rows::{column, encode},
    row::row,
};
use domain::{
    AccountId, GroupId, ProviderId, Timestamp, Version,
    accounts::{group::MAX_GROUP_MEMBERS, sign_in::ProviderSettings},
};
use uuid::Uuid;

row! {
    /// A stored provider.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ProviderRecord {
        /// Id.
        pub id: Uuid,
        /// Name on the button.
        pub name: String,
        /// URL of the provider.
        pub issuer: String,
        /// What the provider calls this desk.
        pub client_id: String,
        /// Encrypted client secret.
        pub client_secret: Option<String>,
        /// Scopes.
        pub scopes: String,
        /// Which people get an account.
        pub provisioning: String,
        /// The group whose members get an account.
        pub member_group: String,
        /// Claim with the groups of a person.
        pub group_claim: String,
        /// Roles by group, as JSON.
        pub role_rules: String,
        /// Groups of the desk by group, as JSON.
        pub group_rules: String,
        /// Whether it proves both factors: 0 or 1.
        pub proves_both_factors: i32,
        /// Whether people can sign in with it: 0 or 1.
        pub is_enabled: i32,
        /// Incremented by every change.
        pub version: i32,
    }
}

impl ProviderRecord {
    /// Returns what admins set.
    pub fn settings(&self) -> Result<ProviderSettings, StoreError> {
        let corrupt = |error: serde_json::Error| StoreError::Corrupt(format!("rules of a provider: {error}"));
        Ok(ProviderSettings {
            name: self.name.clone(),
            client_id: self.client_id.clone(),
            scopes: self.scopes.clone(),
            provisioning: super::account::parse_word(&self.provisioning)?,
            member_group: self.member_group.clone(),
            group_claim: self.group_claim.clone(),
            roles: serde_json::from_str(&self.role_rules).map_err(corrupt)?,
            groups: serde_json::from_str(&self.group_rules).map_err(corrupt)?,
            proves_both_factors: self.proves_both_factors != 0,
            is_enabled: self.is_enabled != 0,
        })
    }
}

row! {
    /// A stored identity, with the name of its provider.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct IdentityRecord {
        /// The provider.
        pub provider_id: Uuid,
        /// Its name.
        pub name: String,
        /// E-mail address that the provider named last.
        pub address: String,
        /// When it was linked, milliseconds.
        pub linked_at: i64,
        /// When it was last used, milliseconds.
        pub used_at: i64,
    }
}

/// An identity at a provider.
#[derive(Debug, Clone, Copy)]
pub struct Identity<'a> {
    /// The provider.
    pub provider: ProviderId,
    /// What it calls the person.
    pub subject: &'a str,
    /// E-mail address that it names; may be empty.
    pub address: &'a str,
}

macro_rules! columns {
    () => {
        "id, name, issuer, client_id, client_secret, scopes, provisioning, member_group, group_claim, role_rules,
         group_rules, proves_both_factors, is_enabled, version"
    };
}

/// Returns all providers, by name.
pub async fn list(conn: Conn<'_>) -> Result<Vec<ProviderRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        concat!("select ", columns!(), " from sign_in_provider order by lower(name), id")).fetch_all(c).await)?)
}

/// Returns a provider; `None`: it does not exist.
pub async fn find(conn: Conn<'_>, id: ProviderId) -> Result<Option<ProviderRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        concat!("select ", columns!(), " from sign_in_provider where id = $1"))
        .bind(id.0).fetch_optional(c).await)?)
}

/// Returns the number of identities at each provider that has any.
pub async fn count_identities(conn: Conn<'_>) -> Result<Vec<(Uuid, i64)>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select provider_id, count(*) from sign_in_identity group by provider_id").fetch_all(c).await)?)
}

fn rules_of(settings: &ProviderSettings) -> Result<(String, String), StoreError> {
    Ok((encode(&settings.roles)?, encode(&settings.groups)?))
}

/// Stores a provider, without client secret.
pub async fn insert(
    conn: Conn<'_>,
    id: ProviderId,
    issuer: &str,
    settings: &ProviderSettings,
    now: Timestamp,
) -> Result<(), StoreError> {
    let (roles, groups) = rules_of(settings)?;
    with_conn!(conn, c => sqlx::query(
        "insert into sign_in_provider
            (id, name, issuer, client_id, scopes, provisioning, member_group, group_claim, role_rules, group_rules,
             proves_both_factors, is_enabled, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)")
        .bind(id.0).bind(&settings.name).bind(issuer).bind(&settings.client_id).bind(&settings.scopes)
        .bind(settings.provisioning.as_str()).bind(&settings.member_group).bind(&settings.group_claim)
        .bind(roles).bind(groups).bind(i32::from(settings.proves_both_factors))
        .bind(i32::from(settings.is_enabled)).bind(now.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// Changes a provider that has the version `seen`. False: it has another one, or does not exist.
pub async fn change(
    conn: Conn<'_>,
    (id, seen): (ProviderId, Version),
    settings: &ProviderSettings,
) -> Result<bool, StoreError> {
    let (roles, groups) = rules_of(settings)?;
    Ok(with_conn!(conn, c => sqlx::query(
        "update sign_in_provider
            set name = $3, client_id = $4, scopes = $5, provisioning = $6, member_group = $7, group_claim = $8,
                role_rules = $9, group_rules = $10, proves_both_factors = $11, is_enabled = $12,
                version = version + 1
          where id = $1 and version = $2")
        .bind(id.0).bind(seen.0).bind(&settings.name).bind(&settings.client_id).bind(&settings.scopes)
        .bind(settings.provisioning.as_str()).bind(&settings.member_group).bind(&settings.group_claim)
        .bind(roles).bind(groups).bind(i32::from(settings.proves_both_factors))
        .bind(i32::from(settings.is_enabled)).execute(c).await?.rows_affected())
        > 0)
}

/// Replaces the encrypted client secret.
pub async fn set_client_secret(
    conn: Conn<'_>,
    id: ProviderId,
    sealed: Option<&str>,
) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("update sign_in_provider set client_secret = $2 where id = $1")
        .bind(id.0).bind(sealed).execute(c).await?.rows_affected());
    Ok(())
}

/// Deletes a provider that has the version `seen`. False: it has another one, or does not exist.
pub async fn delete(conn: Conn<'_>, (id, seen): (ProviderId, Version)) -> Result<bool, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query("delete from sign_in_provider where id = $1 and version = $2")
        .bind(id.0).bind(seen.0).execute(c).await?.rows_affected())
        > 0)
}

/// Returns the account of an identity; `None`: it is not linked.
pub async fn account_of(
    conn: Conn<'_>,
    provider: ProviderId,
    subject: &str,
) -> Result<Option<AccountId>, StoreError> {
    let account: Option<Uuid> = with_conn!(conn, c => sqlx::query_scalar(
        "select account_id from sign_in_identity where provider_id = $1 and subject = $2")
        .bind(provider.0).bind(subject).fetch_optional(c).await)?;
    Ok(account.map(AccountId))
}

/// Links an identity to an account. [`StoreError::is_unique_violation`]: the identity is linked, or the account has
/// another one at this provider.
pub async fn link(
    conn: Conn<'_>,
    identity: Identity<'_>,
    account: AccountId,
    now: Timestamp,
) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into sign_in_identity (provider_id, subject, account_id, address, linked_at, used_at)
         values ($1, $2, $3, $4, $5, $5)")
        .bind(identity.provider.0).bind(identity.subject).bind(account.0).bind(identity.address)
        .bind(now.millis()).execute(c).await?.rows_affected());
    Ok(())
}

/// Records that an identity was used, with the address that the provider names now.
pub async fn record_use(conn: Conn<'_>, identity: Identity<'_>, now: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "update sign_in_identity set address = $3, used_at = $4 where provider_id = $1 and subject = $2")
        .bind(identity.provider.0).bind(identity.subject).bind(identity.address).bind(now.millis())
        .execute(c).await?.rows_affected());
    Ok(())
}

/// Returns the identities of an account, by the name of their provider.
pub async fn identities_of(conn: Conn<'_>, account: AccountId) -> Result<Vec<IdentityRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select i.provider_id, p.name, i.address, i.linked_at, i.used_at
           from sign_in_identity i
           join sign_in_provider p on p.id = i.provider_id
          where i.account_id = $1
          order by lower(p.name), p.id")
        .bind(account.0).fetch_all(c).await)?)
}

/// Removes the identity of an account at a provider. False: it has none.
pub async fn unlink(conn: Conn<'_>, provider: ProviderId, account: AccountId) -> Result<bool, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query(
        "delete from sign_in_identity where provider_id = $1 and account_id = $2")
        .bind(provider.0).bind(account.0).execute(c).await?.rows_affected())
        > 0)
}

/// Adds an account to groups and removes it from others. Those that changed get their next version; returns them with
/// their names. A full group stays as it is.
pub async fn set_groups(
    mut conn: Conn<'_>,
    account: AccountId,
    joined: &[GroupId],
    left: &[GroupId],
) -> Result<Vec<(Uuid, String)>, StoreError> {
    let mut changed = leave(conn.reborrow(), account, left).await?;
    changed.extend(join(conn.reborrow(), account, joined).await?);
    Ok(match conn {
        _ if changed.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "update account_group set version = version + 1
                  where id in (select unhex(value) from jsonb_each($1))
                 returning id, name",
            )
            .bind(encode(changed.iter().copied().map(Uuid::simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "update account_group set version = version + 1 where id = any($1) returning id, name",
            )
            .bind(changed)
            .fetch_all(c)
            .await?
        }
    })
}

async fn leave(conn: Conn<'_>, account: AccountId, left: &[GroupId]) -> Result<Vec<Uuid>, StoreError> {
    Ok(match conn {
        _ if left.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_scalar(
                "delete from account_group_member
                  where account_id = $1 and group_id in (select unhex(value) from jsonb_each($2))
                 returning group_id",
            )
            .bind(account.0)
            .bind(encode(left.iter().map(|group| group.0.simple()))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar(
                "delete from account_group_member where account_id = $1 and group_id = any($2)
                 returning group_id",
            )
            .bind(account.0)
            .bind(column(left, |group| group.0))
            .fetch_all(c)
            .await?
        }
    })
}

async fn join(conn: Conn<'_>, account: AccountId, joined: &[GroupId]) -> Result<Vec<Uuid>, StoreError> {
    let max = i64::try_from(MAX_GROUP_MEMBERS).unwrap_or(i64::MAX);
    Ok(match conn {
        _ if joined.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_scalar(
                "insert into account_group_member (group_id, account_id)
                 select g.id, $1 from account_group g
                  where g.id in (select unhex(value) from jsonb_each($2))
                    and (select count(*) from account_group_member m where m.group_id = g.id) < $3
                 on conflict do nothing
                 returning group_id",
            )
            .bind(account.0)
            .bind(encode(joined.iter().map(|group| group.0.simple()))?)
            .bind(max)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar(
                "insert into account_group_member (group_id, account_id)
                 select g.id, $1 from account_group g
                  where g.id = any($2)
                    and (select count(*) from account_group_member m where m.group_id = g.id) < $3
                 on conflict do nothing
                 returning group_id",
            )
            .bind(account.0)
            .bind(column(joined, |group| group.0))
            .bind(max)
            .fetch_all(c)
            .await?
        }
    })
}
