//! The checklist of the desk, asked when a text is scheduled.

use super::lists;
use crate::{
    kinds::task_kind::Planned,
    text::checklist::{self, Checked, OwnTarget},
};
use domain::{
    DomainError, Timestamp,
    review::workflow::{
        ReviewProblem,
        checklist::{CheckItem, CheckMode, Checklist, LINK_ANSWER_AGE_MS, MAX_LINKS},
    },
};
use std::collections::{HashMap, HashSet};
use store::{
    Conn, StoreError, Tx,
    approval::{self, RevisionText},
    link_answer, media_file, review_settings, slug, target,
};
use uuid::Uuid;

/// Maximum number of texts in memory at once.
const MAX_TEXTS_IN_MEMORY: usize = 50;

/// Calls `with` with what is checked of a revision. `answered`: see [`answered`].
pub fn with_checked<T>(
    text: &RevisionText,
    answered: &HashSet<String>,
    with: impl FnOnce(Checked<'_>) -> T,
) -> Result<T, StoreError> {
    let details = store::details::parse(text.details.as_deref())?;
    let has_summary = !details.summary.trim().is_empty();
    Ok(with(Checked { title: &text.title, has_summary, body: &text.body, answered }))
}

/// Returns which links of these texts answered lately, and which own ones lead somewhere, by their keys;
/// none of those whose item is off.
pub async fn answered(
    mut conn: Conn<'_>,
    list: Checklist,
    bodies: impl Iterator<Item = &str>,
    now: Timestamp,
) -> Result<HashSet<String>, StoreError> {
    let is_on = |item| list.mode(item) != CheckMode::Off;
    let (web, own) = (is_on(CheckItem::Links), is_on(CheckItem::OwnLinks));
    if !web && !own {
        return Ok(HashSet::new());
    }
    let bodies: Vec<String> = bodies.map(str::to_owned).collect();
    let read = move || {
        let (mut hashes, mut targets) = (Vec::new(), Vec::new());
        for body in &bodies {
            if web {
                let links = checklist::web_links(body).into_iter().take(MAX_LINKS);
                hashes.extend(links.map(|link| checklist::link_hash(&link.url)));
            }
            if own {
                targets.extend(checklist::own_links(body).into_iter().map(|link| link.target));
            }
        }
        (hashes, targets)
    };
    let (hashes, targets) = lists::blocking(read).await?;
    let since = now.plus(-LINK_ANSWER_AGE_MS);
    let answered = link_answer::since(conn.reborrow(), &hashes, since).await?;
    let existing = existing(conn, targets).await?;
    Ok(answered.into_iter().chain(existing).collect())
}

/// The keys of those targets that are there.
async fn existing(mut conn: Conn<'_>, targets: Vec<OwnTarget>) -> Result<Vec<String>, StoreError> {
    let (mut slugs, mut files) = (Vec::new(), Vec::new());
    for target in targets {
        match target {
            OwnTarget::Article(slug) => slugs.push(slug),
            OwnTarget::File(hash) => files.push(hash),
        }
    }
    let slugs = slug::reachable(conn.reborrow(), &slugs).await?.into_iter().map(OwnTarget::Article);
    let files = media_file::known(conn, &files).await?.into_iter().map(OwnTarget::File);
    Ok(slugs.chain(files).map(|target| target.key()).collect())
}

/// The revisions that lack what the desk requires.
pub async fn incomplete(
    mut conn: Conn<'_>,
    revisions: &[Uuid],
    now: Timestamp,
) -> Result<HashSet<Uuid>, StoreError> {
    let list = review_settings::find(conn.reborrow()).await?.checklist;
    let mut missing = HashSet::new();
    if list.with(CheckMode::Require).next().is_none() {
        return Ok(missing);
    }
    for some in revisions.chunks(MAX_TEXTS_IN_MEMORY) {
        let texts = approval::texts(conn.reborrow(), some).await?;
        let answered = required_answers(conn.reborrow(), list, &texts, now).await?;
        missing.extend(missing_of(list, texts, answered).await?.into_iter().map(|(revision, _)| revision));
    }
    Ok(missing)
}

/// The requested publications whose texts lack what the desk requires, by their index.
pub async fn refused(tx: &mut Tx, request: &[Planned]) -> Result<Vec<(usize, DomainError)>, StoreError> {
    let is_publication = |one: &&Planned| one.kind == domain::Kind::ArticlePublish;
    let list = review_settings::find(tx.conn()).await?.checklist;
    let Some(now) = request.iter().find(is_publication).map(|one| one.now) else { return Ok(Vec::new()) };
    if list.with(CheckMode::Require).next().is_none() {
        return Ok(Vec::new());
    }
    let mut ids: Vec<Uuid> = request.iter().filter(is_publication).map(|one| one.target).collect();
    ids.sort_unstable();
    ids.dedup();
    // They are locked already, by the caller.
    let targets = target::lock(tx.conn(), &ids).await?;
    let chosen: HashMap<Uuid, Uuid> =
        request.iter().filter_map(|one| Some((one.target, one.revision?))).collect();
    let pinned = |target: &target::Target| chosen.get(&target.id).copied().or(target.revision_id);
    let revisions: HashMap<Uuid, Uuid> =
        targets.iter().filter_map(|target| Some((pinned(target)?, target.id))).collect();
    let all: Vec<Uuid> = revisions.keys().copied().collect();
    let mut missing: HashMap<Uuid, Vec<CheckItem>> = HashMap::new();
    for some in all.chunks(MAX_TEXTS_IN_MEMORY) {
        let texts = approval::texts(tx.conn(), some).await?;
        let answered = required_answers(tx.conn(), list, &texts, now).await?;
        for (revision, items) in missing_of(list, texts, answered).await? {
            if let Some(article) = revisions.get(&revision) {
                missing.insert(*article, items);
            }
        }
    }
    let refused = request.iter().enumerate().filter(|(_, one)| is_publication(one));
    let refused = refused.filter_map(|(place, one)| {
        let items = missing.get(&one.target)?.clone();
        Some((place, ReviewProblem::Checklist { items }.into()))
    });
    Ok(refused.collect())
}

/// The links of texts that answered; none if the desk does not require that they do.
async fn required_answers(
    conn: Conn<'_>,
    list: Checklist,
    texts: &[RevisionText],
    now: Timestamp,
) -> Result<HashSet<String>, StoreError> {
    answered(conn, list.required_links(), texts.iter().map(|text| text.body.as_str()), now).await
}

/// The required items that texts lack, by revision.
async fn missing_of(
    list: Checklist,
    texts: Vec<RevisionText>,
    answered: HashSet<String>,
) -> Result<Vec<(Uuid, Vec<CheckItem>)>, StoreError> {
    lists::blocking(move || {
        let mut all = Vec::new();
        for text in texts {
            let items = with_checked(&text, &answered, |text| checklist::missing_items(&list, text))?;
            if !items.is_empty() {
                all.push((text.id, items));
            }
        }
        Ok(all)
    })
    .await?
}
