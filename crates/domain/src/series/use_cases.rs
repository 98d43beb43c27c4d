//! Service for series.

use crate::{
    Actor, DomainError,
    series::{NewSeries, SeriesPreview},
};
use async_trait::async_trait;

/// Series: recurrence rules and their occurrences.
#[async_trait]
pub trait Series: Send + Sync {
    /// The next occurrences of a series that is not stored. Every account may preview. `Invalid`
    /// names the field of the rule.
    async fn preview(&self, actor: &Actor, new: NewSeries) -> Result<SeriesPreview, DomainError>;
}
