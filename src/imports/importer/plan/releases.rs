//! The releases and the posting slots of an export.

use crate::{
    files::manifest::{MANIFEST, Manifest, ReleaseCopy, ReleaseItemCopy},
    imports::importer::{Import, Importer, date, problem::Problem, report::Report},
    process::cli_error::CliError,
    releases::ReleaseService,
    tasks::slots,
    zone::Zone,
};
use domain::{
    Actor, ArticleId, When,
    releases::{MAX_RELEASE_ITEMS, NewItem, NewRelease, ReleaseAction, use_cases::Releases as _},
};
use store::{PoolRole, export};

/// Maximum number of releases that an import creates.
const MAX_RELEASES: usize = 1_000;

/// Sets the posting slots of an export, on a desk that never had an article.
pub async fn set_slots(importer: &Importer, actor: &Actor, manifest: &Manifest) -> Result<(), CliError> {
    let Some(settings) = manifest.slots.clone() else { return Ok(()) };
    let plan = slots::plan(&importer.parts).await?;
    slots::save(&importer.parts, actor, settings, plan.version).await?;
    Ok(())
}

/// Creates the releases of an export, and schedules those that are scheduled in it, unless all is to stay a
/// draft. What cannot be done is a warning.
pub async fn create(
    importer: &Importer,
    actor: &Actor,
    (import, copies): (&Import, &[ReleaseCopy]),
    report: &mut Report,
) -> Result<(), CliError> {
    for copy in copies.iter().take(MAX_RELEASES) {
        if importer.stop.is_cancelled() {
            return Err(CliError::Failed("it was stopped".to_owned()));
        }
        if let Err(why) = create_one(importer, actor, (import, copy), report).await? {
            let why = format!("its release “{}” is not as it was: {why}", copy.name);
            report.warn(MANIFEST, Problem::at(0, why));
        }
    }
    let left_out = copies.len().saturating_sub(MAX_RELEASES);
    if left_out > 0 {
        let why = format!("its last {left_out} releases are left out: they are more than {MAX_RELEASES}");
        report.warn(MANIFEST, Problem::at(0, why));
    }
    Ok(())
}

/// Creates a release. The inner error: why it, or its schedule, was refused. One that lacks an article is not
/// scheduled: all of them become public together.
async fn create_one(
    importer: &Importer,
    actor: &Actor,
    (import, copy): (&Import, &ReleaseCopy),
    report: &mut Report,
) -> Result<Result<(), String>, CliError> {
    if copy.items.len() > MAX_RELEASE_ITEMS {
        return Ok(Err(format!("it has more than {MAX_RELEASE_ITEMS} articles")));
    }
    let items = items(importer, copy, report).await?;
    let is_whole = items.len() == copy.items.len();
    let service = ReleaseService::new(importer.parts.clone());
    let release = match service.create(actor, NewRelease { name: copy.name.clone(), items }).await {
        Ok(release) => release,
        Err(refusal) => return Ok(Err(refusal.to_string())),
    };
    let Some(date) = copy.date.as_deref().filter(|_| !import.is_drafts) else { return Ok(Ok(())) };
    if !is_whole {
        return Ok(Err("it is not scheduled, because not all of its articles are in it".to_owned()));
    }
    let Some(when) = when(date, import.zone) else {
        return Ok(Err(format!("it is not scheduled, because {date} is no time")));
    };
    let scheduled = service.schedule(actor, release.row.id, when).await;
    Ok(scheduled.map(drop).map_err(|refusal| refusal.to_string()))
}

/// Returns the articles of a release, as far as the desk has them.
async fn items(
    importer: &Importer,
    copy: &ReleaseCopy,
    report: &mut Report,
) -> Result<Vec<NewItem>, CliError> {
    let slugs: Vec<&str> = copy.items.iter().map(|item| item.slug.as_str()).collect();
    let mut lease = importer.parts.store.read(PoolRole::Web).await?;
    let articles = export::articles_of(lease.conn(), &slugs).await?;
    drop(lease);
    let mut items = Vec::new();
    for ReleaseItemCopy { slug, action, revision } in &copy.items {
        let why = match articles.get(slug) {
            // Without a number, it would publish the newest text.
            Some(_) if *action == ReleaseAction::Publish && revision.is_none() => {
                format!("its release “{}” does not say which text of {slug} it publishes", copy.name)
            }
            Some(id) => {
                items.push(NewItem { article: ArticleId(*id), action: *action, revision: *revision });
                continue;
            }
            None => format!("its release “{}” has no article {slug} any more", copy.name),
        };
        report.warn(MANIFEST, Problem::at(0, why));
    }
    Ok(items)
}

/// Returns a due time as it was given.
fn when(text: &str, zone: Zone) -> Option<When> {
    let date = date::parse_date(text, zone)?;
    Some(date.zone.map_or_else(|| date.at.into(), |zone| Zone::stored(zone).local_time_at(date.at)))
}
