//! The releases and the posting slots of an export.

use crate::{
    files::manifest::{MANIFEST, Manifest, ReleaseCopy},
    imports::importer::{Import, Importer, date, problem::Problem, report::Report},
    process::cli_error::CliError,
    releases::ReleaseService,
    tasks::slots,
    zone::Zone,
};
use domain::{
    Actor, ArticleId, DomainError, When,
    releases::{NewItem, NewRelease, use_cases::Releases as _},
};
use store::{PoolRole, export};

/// Sets the posting slots of an export, on a desk that has none.
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
    for copy in copies {
        if let Err(refusal) = create_one(importer, actor, (import, copy), report).await? {
            let why = format!("its release “{}” is not as it was: {refusal}", copy.name);
            report.warn(MANIFEST, Problem::at(0, why));
        }
    }
    Ok(())
}

/// Creates a release. The inner error: why it, or its schedule, was refused.
async fn create_one(
    importer: &Importer,
    actor: &Actor,
    (import, copy): (&Import, &ReleaseCopy),
    report: &mut Report,
) -> Result<Result<(), DomainError>, CliError> {
    let mut lease = importer.parts.store.read(PoolRole::Web).await?;
    let mut items = Vec::new();
    for item in &copy.items {
        match export::article_of(lease.conn(), &item.slug).await? {
            Some(id) => {
                items.push(NewItem { article: ArticleId(id), action: item.action, revision: item.revision });
            }
            None => {
                let why = format!("its release “{}” has no article {} any more", copy.name, item.slug);
                report.warn(MANIFEST, Problem::at(0, why));
            }
        }
    }
    drop(lease);
    let service = ReleaseService::new(importer.parts.clone());
    let release = match service.create(actor, NewRelease { name: copy.name.clone(), items }).await {
        Ok(release) => release,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let Some(when) = copy.date.as_deref().and_then(|date| when(date, import.zone)) else { return Ok(Ok(())) };
    if import.is_drafts {
        return Ok(Ok(()));
    }
    Ok(service.schedule(actor, release.row.id, when).await.map(drop))
}

/// Returns a due time as it was given.
fn when(text: &str, zone: Zone) -> Option<When> {
    let date = date::parse_date(text, zone)?;
    Some(date.zone.map_or_else(|| date.at.into(), |zone| Zone::stored(zone).local_time_at(date.at)))
}
