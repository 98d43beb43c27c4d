//! Reads the library.

use super::QUOTA_SETTING;
use crate::{
    app_state::AppState,
    services::{Presenter, cursor, internal_error},
};
use domain::{
    AccountId, Actor, ArticleId, DomainError, MediaId, Page, Version,
    base::page::PageStart,
    error::ValidationError,
    input_limits::{DEFAULT_PAGE_ITEMS, MAX_PAGE_ITEMS, MAX_SEARCH_CHARS},
    media::{
        DEFAULT_QUOTA_BYTES, MAX_USES, MediaDetails, MediaItem, MediaList, MediaQuery, MediaUsage, MediaUse,
        ReplaceRefusal,
    },
    review::workflow::{Workflow, may_review},
};
use store::{
    Conn, PoolRole, StoreError, media_content,
    media_file::{self, MediaFilter, MediaRow},
    media_use::{self, MediaUseRow},
    review_settings, setting, site,
};

const MIB: u64 = 1024 * 1024;

/// Presents a file.
pub fn present(presenter: &Presenter<'_>, row: MediaRow) -> Result<MediaItem, DomainError> {
    let kind = row
        .format
        .parse()
        .map_err(|_| internal_error(StoreError::Corrupt(format!("file {} has no known type", row.id))))?;
    let side = |side: Option<i32>| side.and_then(|side| u32::try_from(side).ok());
    let owner_id = AccountId(row.owner_id);
    Ok(MediaItem {
        id: MediaId(row.id),
        hash: row.hash,
        name: row.name,
        kind,
        size: side(row.width).zip(side(row.height)),
        bytes: whole(row.bytes),
        alt: row.alt,
        version: Version(row.version),
        owner_id,
        owner: row.owner,
        created: presenter.moment(row.created_at),
        used_by: whole(row.used_by),
        may_change: presenter.actor.may_change(owner_id),
        has_earlier: row.has_earlier == 1,
    })
}

/// Whether the actor may know of this file.
pub fn is_visible(actor: &Actor, row: &MediaRow) -> bool {
    actor.may_change(AccountId(row.owner_id)) || row.used_by > 0
}

fn whole(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

/// Reads and presents a file that was just written.
pub async fn one(conn: Conn<'_>, presenter: &Presenter<'_>, id: MediaId) -> Result<MediaItem, DomainError> {
    let row = media_file::find(conn, id).await.map_err(internal_error)?;
    present(presenter, row.ok_or_else(no_such)?)
}

/// The file does not exist, or the actor may not know that it exists.
pub fn no_such() -> DomainError {
    DomainError::no_such("file")
}

/// Returns a file and where it is used.
pub async fn find(parts: &AppState, actor: &Actor, id: MediaId) -> Result<MediaDetails, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let row = media_file::find(lease.conn(), id).await.map_err(internal_error)?;
    let row = row.filter(|row| is_visible(actor, row)).ok_or_else(no_such)?;
    let uses = uses(lease.conn(), &row.hash).await?;
    let is_on_site = is_on_site(lease.conn(), &row.hash).await?;
    let replace_refusal = replace_refusal(lease.conn(), actor, &row).await?;
    Ok(MediaDetails { item: present(&presenter, row)?, uses, is_on_site, replace_refusal })
}

/// Whether the file is the logo or the icon of the site, or its stylesheet uses it.
pub async fn is_on_site(mut conn: Conn<'_>, hash: &str) -> Result<bool, DomainError> {
    let look = site::look(conn.reborrow()).await.map_err(internal_error)?;
    let style = setting::find(conn, site::STYLE).await.map_err(internal_error)?;
    Ok(look.shows(hash) || style.is_some_and(|css| css.contains(hash)))
}

/// Returns why the actor may not replace the content of a file; `None`: they may.
pub async fn replace_refusal(
    mut conn: Conn<'_>,
    actor: &Actor,
    row: &MediaRow,
) -> Result<Option<ReplaceRefusal>, DomainError> {
    if actor.is_admin() {
        return Ok(None);
    }
    // An address is that of all accounts that uploaded the same file.
    let owners = media_content::count_owners(conn.reborrow(), &row.hash).await.map_err(internal_error)?;
    if !actor.may_change(AccountId(row.owner_id)) || owners > 1 {
        return Ok(Some(ReplaceRefusal::Other));
    }
    if is_on_site(conn.reborrow(), &row.hash).await? {
        return Ok(Some(ReplaceRefusal::OnSite));
    }
    let settings = review_settings::find(conn.reborrow()).await.map_err(internal_error)?;
    // Where two must approve, no reviewer decides alone.
    let may_approve = may_review(actor) && settings.workflow.reviewers() < 2;
    if settings.workflow == Workflow::None || may_approve {
        return Ok(None);
    }
    let is_pinned = |one: &MediaUse| one.is_public || one.is_scheduled;
    let is_reviewed = uses(conn.reborrow(), &row.hash).await?.iter().any(is_pinned)
        || media_use::is_approved(conn, &row.hash).await.map_err(internal_error)?;
    Ok(is_reviewed.then_some(ReplaceRefusal::Reviewed))
}

/// Returns the articles that use a file, public and scheduled ones first.
pub async fn uses(conn: Conn<'_>, hash: &str) -> Result<Vec<MediaUse>, DomainError> {
    let rows = media_use::uses(conn, hash, MAX_USES).await.map_err(internal_error)?;
    let one = |row: MediaUseRow| MediaUse {
        article: ArticleId(row.article_id),
        title: row.title,
        is_public: row.is_public == 1,
        is_scheduled: row.is_scheduled == 1,
        is_current: row.is_current == 1,
    };
    Ok(rows.into_iter().map(one).collect())
}

/// Returns one page of the list and the usage.
pub async fn list(parts: &AppState, actor: &Actor, query: MediaQuery) -> Result<MediaList, DomainError> {
    let limit = query.limit.unwrap_or(DEFAULT_PAGE_ITEMS).clamp(1, MAX_PAGE_ITEMS);
    let search = query.search.as_deref().map(str::trim).filter(|search| !search.is_empty());
    if search.is_some_and(|search| search.chars().count() > MAX_SEARCH_CHARS) {
        let max = u32::try_from(MAX_SEARCH_CHARS).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("q", ValidationError::TooLong { max }));
    }
    let before = query.cursor.as_deref().map(cursor::read_forward_id).transpose()?;
    let filter = MediaFilter {
        viewer: (!actor.is_admin()).then_some(actor.account),
        search,
        only_pictures: query.only_pictures,
        before,
        // One more than requested shows whether there is another page.
        limit: i64::from(limit) + 1,
    };
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let rows = media_file::page(lease.conn(), filter).await.map_err(internal_error)?;
    let usage = usage(lease.conn()).await?;
    drop(lease);
    let start = PageStart { place: before, is_backward: false };
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let page = Page::of_rows(rows, limit, start, |row| row.id, |id, _| id.simple().to_string());
    let items = page.items.into_iter().map(|row| present(&presenter, row)).collect::<Result<_, _>>()?;
    // The list has no way back.
    let page = Page { items, next_cursor: page.next_cursor, previous_cursor: None };
    Ok(MediaList { page, usage })
}

/// Returns how many bytes the files have, and how many they may have.
pub async fn usage(mut conn: Conn<'_>) -> Result<MediaUsage, DomainError> {
    let bytes = media_file::stored_bytes(conn.reborrow()).await.map_err(internal_error)?;
    let mib = setting::find(conn, QUOTA_SETTING).await.map_err(internal_error)?;
    let mib = mib.and_then(|mib| mib.parse::<u64>().ok());
    Ok(MediaUsage {
        bytes: whole(bytes),
        quota: mib.map_or(DEFAULT_QUOTA_BYTES, |mib| mib.saturating_mul(MIB)),
    })
}

/// Refuses `bytes` more than the quota allows.
pub async fn check_quota(conn: Conn<'_>, bytes: u64) -> Result<(), DomainError> {
    let MediaUsage { bytes: used, quota } = usage(conn).await?;
    if used.saturating_add(bytes) > quota {
        return Err(domain::media::MediaProblem::QuotaReached { quota_mib: quota / MIB }.into());
    }
    Ok(())
}
