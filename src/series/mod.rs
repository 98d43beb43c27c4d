//! Series: previews of recurrence rules with the built-in time-zone data.

pub mod api;
#[cfg(test)]
mod tests;

use crate::{app_state::AppState, zone::Zone};
use async_trait::async_trait;
use domain::{
    Actor, DomainError,
    series::{NewSeries, Series, SeriesPreview},
    services,
};

/// The service of series.
#[derive(Clone)]
pub struct SeriesService {
    parts: AppState,
}

impl SeriesService {
    /// Creates the service.
    #[must_use]
    pub fn new(parts: AppState) -> Self {
        Self { parts }
    }
}

#[async_trait]
impl services::Series for SeriesService {
    async fn preview(&self, actor: &Actor, new: NewSeries) -> Result<SeriesPreview, DomainError> {
        let zone = Zone::named(&new.zone)?;
        let now = self.parts.clock.now();
        let series = Series::read(&new.starts_local, zone.name(), new.rule)?;
        series.check(&zone, now)?;
        Ok(series.preview(&zone, &Zone::stored(&actor.zone), now))
    }
}
