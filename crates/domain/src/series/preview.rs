//! Preview of a series: its next occurrences, and what is special about them.

use super::{Occurrence, Omission, PREVIEW_ITEMS, Series, Step, ZoneRules};
use crate::Timestamp;
use jiff::civil::DateTime;

/// The next occurrences of a series.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeriesPreview {
    /// The next [`PREVIEW_ITEMS`] occurrences.
    pub items: Vec<PreviewItem>,
    /// Number of all occurrences that are still to come, including those.
    pub upcoming_count: usize,
}

/// An occurrence in a preview.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewItem {
    /// The occurrence.
    pub occurrence: Occurrence,
    /// Local time at which it takes place; differs from the original one if a gap moves it.
    pub local: DateTime,
    /// Local time in the viewer's zone; `None`: the same.
    pub viewer_local: Option<DateTime>,
    /// Seconds east of UTC of the occurrence before, if that differs.
    pub offset_before_seconds: Option<i32>,
    /// What is omitted between the occurrence before (for the first one: the later of the start
    /// and now) and this one.
    pub omitted: Vec<Omission>,
}

impl Series {
    /// Returns the preview: the occurrences from `now` on.
    #[must_use]
    pub fn preview(&self, zone: &dyn ZoneRules, viewer: &dyn ZoneRules, now: Timestamp) -> SeriesPreview {
        let (mut items, mut upcoming_count) = (Vec::<PreviewItem>::new(), 0);
        let (mut omitted, mut offset) = (Vec::new(), None);
        for step in self.steps(zone) {
            match step {
                Step::Omitted(omission) => omitted.push(omission),
                Step::Occurrence(occurrence) if occurrence.at < now => {
                    (omitted, offset) = (Vec::new(), Some(occurrence.offset_seconds));
                }
                Step::Occurrence(occurrence) => {
                    upcoming_count += 1;
                    if items.len() < PREVIEW_ITEMS {
                        let omitted = std::mem::take(&mut omitted);
                        let before = offset.replace(occurrence.offset_seconds);
                        items.push(item(occurrence, before, omitted, (zone, viewer)));
                    }
                }
            }
        }
        SeriesPreview { items, upcoming_count }
    }
}

fn item(
    occurrence: Occurrence,
    offset_before: Option<i32>,
    omitted: Vec<Omission>,
    (zone, viewer): (&dyn ZoneRules, &dyn ZoneRules),
) -> PreviewItem {
    let local = zone.local_at(occurrence.at).unwrap_or(occurrence.original_local);
    PreviewItem {
        occurrence,
        local,
        viewer_local: viewer.local_at(occurrence.at).filter(|viewer| *viewer != local),
        offset_before_seconds: offset_before.filter(|before| *before != occurrence.offset_seconds),
        omitted,
    }
}
