//! Finds what depends on the other articles of the desk: slugs, names of tags, and posting slots. One
//! statement for all rows each.

use crate::articles::plan::{
    row::{Row, Wanted},
    time::PlannedTime,
};
use crate::{services::internal_error, tasks::slots, text::slug, zone::Zone};
use domain::{DomainError, Timestamp, articles::plan::RowWarning};
use std::collections::{HashMap, HashSet};
use store::{
    Conn, batch,
    details::{known_names, tag_key},
    slot_plan,
};
use uuid::Uuid;

/// Number of numbered slugs that are looked up for a slug besides one for each of its rows.
const SPARE_NUMBERS: u32 = 20;

/// Gives each row its moment, its tags and its slug.
pub async fn place(mut conn: Conn<'_>, rows: &mut [Row], now: Timestamp) -> Result<(), DomainError> {
    take_slots(conn.reborrow(), rows, now).await?;
    name_tags(conn.reborrow(), rows).await?;
    name_slugs(conn.reborrow(), rows).await?;
    warn_of_moments(conn, rows).await
}

/// Whether a row asks for a posting slot.
pub fn wants_slot(rows: &[Row]) -> bool {
    all(rows).any(|wanted| wanted.due == PlannedTime::Slot)
}

fn all(rows: &[Row]) -> impl Iterator<Item = &Wanted> {
    rows.iter().filter_map(|row| row.wanted.as_ref().ok())
}

fn all_mut(rows: &mut [Row]) -> impl Iterator<Item = &mut Wanted> {
    rows.iter_mut().filter_map(|row| row.wanted.as_mut().ok())
}

fn moment(wanted: &Wanted) -> Option<Timestamp> {
    match wanted.due {
        PlannedTime::At(_, at) => Some(at),
        PlannedTime::Draft | PlannedTime::Slot => None,
    }
}

/// Gives the rows that ask for a slot the next free ones, in their order.
async fn take_slots(mut conn: Conn<'_>, rows: &mut [Row], now: Timestamp) -> Result<(), DomainError> {
    let count = all(rows).filter(|wanted| wanted.due == PlannedTime::Slot).count();
    if count == 0 {
        return Ok(());
    }
    let fixed: HashSet<Timestamp> = all(rows).filter_map(moment).collect();
    let limit = u32::try_from(count + fixed.len()).unwrap_or(u32::MAX);
    let free = slots::free_in(conn.reborrow(), (now, Timestamp::LATEST), limit).await?;
    let plan = slot_plan::find(conn).await.map_err(internal_error)?;
    let zone = plan.map_or(Zone::UTC, |plan| Zone::stored(&plan.settings.zone));
    let mut free = free.into_iter().filter(|at| !fixed.contains(at));
    for row in rows {
        let Ok(wanted) = &mut row.wanted else { continue };
        if wanted.due != PlannedTime::Slot {
            continue;
        }
        match free.next() {
            Some(at) => (wanted.due, wanted.zone) = (PlannedTime::At(zone.local_time_at(at), at), zone),
            None => row.wanted = Err(slots::no_free_slot().into()),
        }
    }
    Ok(())
}

/// Gives tags the names by which the desk knows them, or as the first row writes them.
async fn name_tags(conn: Conn<'_>, rows: &mut [Row]) -> Result<(), DomainError> {
    let mut seen = HashSet::new();
    let names = all(rows).flat_map(|wanted| &wanted.details.tags);
    let names: Vec<String> = names.filter(|name| seen.insert(tag_key(name))).cloned().collect();
    let known = known_names(conn, names).await.map_err(internal_error)?;
    let known: HashMap<String, String> = known.into_iter().map(|name| (tag_key(&name), name)).collect();
    for name in all_mut(rows).flat_map(|wanted| &mut wanted.details.tags) {
        if let Some(known) = known.get(&tag_key(name)) {
            name.clone_from(known);
        }
    }
    Ok(())
}

/// Gives each row a slug that no article has or had: its own, else with a number.
async fn name_slugs(mut conn: Conn<'_>, rows: &mut [Row]) -> Result<(), DomainError> {
    let own: HashSet<String> = all(rows).map(|wanted| wanted.slug.clone()).collect();
    let own: Vec<String> = own.into_iter().collect();
    let taken = store::slug::taken(conn.reborrow(), &own).await.map_err(internal_error)?;
    let titles: HashMap<String, String> =
        store::slug::titles(conn.reborrow(), &taken).await.map_err(internal_error)?.into_iter().collect();
    let mut used: HashSet<String> = taken.into_iter().collect();
    let mut repeated: HashMap<String, u32> = HashMap::new();
    let mut numbered = Vec::new();
    for wanted in all_mut(rows) {
        if titles.get(&wanted.slug) == Some(&wanted.title) {
            wanted.warnings.push(RowWarning::SameTitle);
        }
        if !used.insert(wanted.slug.clone()) {
            *repeated.entry(wanted.slug.clone()).or_default() += 1;
            numbered.push(wanted);
        }
    }
    let numbers = |(slug, count): (&String, &u32)| {
        (2..=count + SPARE_NUMBERS).map(|number| slug::with_number(slug, number)).collect::<Vec<_>>()
    };
    let candidates: Vec<String> = repeated.iter().flat_map(numbers).collect();
    used.extend(store::slug::taken(conn, &candidates).await.map_err(internal_error)?);
    let mut next: HashMap<String, u32> = HashMap::new();
    for wanted in numbered {
        let last = repeated.get(&wanted.slug).copied().unwrap_or_default() + SPARE_NUMBERS;
        let from = next.entry(wanted.slug.clone()).or_insert(2);
        let found = (*from..=last).find_map(|number| {
            *from = number + 1;
            Some(slug::with_number(&wanted.slug, number)).filter(|name| used.insert(name.clone()))
        });
        wanted.slug = found.unwrap_or_else(|| Uuid::now_v7().to_string());
        if wanted.has_own_slug {
            wanted.warnings.push(RowWarning::OtherSlug { slug: wanted.slug.clone() });
        }
    }
    Ok(())
}

/// Warns of moments at which something else is scheduled, or another row.
async fn warn_of_moments(conn: Conn<'_>, rows: &mut [Row]) -> Result<(), DomainError> {
    let mut counts: HashMap<i64, u32> = HashMap::new();
    for at in all(rows).filter_map(moment) {
        *counts.entry(at.millis()).or_default() += 1;
    }
    let moments: Vec<i64> = counts.keys().copied().collect();
    let taken = batch::taken(conn, &moments, &[]).await.map_err(internal_error)?;
    let taken: HashSet<i64> = taken.into_iter().collect();
    for wanted in all_mut(rows) {
        let Some(at) = moment(wanted).map(Timestamp::millis) else { continue };
        if taken.contains(&at) || counts.get(&at).is_some_and(|count| *count > 1) {
            wanted.warnings.push(RowWarning::MomentTaken);
        }
    }
    Ok(())
}
