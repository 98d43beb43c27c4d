//! The dashboard.

use crate::{
    app_state::AppState,
    attention, kinds,
    services::{Presenter, internal_error},
};
use domain::{Actor, DomainError, task::Dashboard};
use store::{PoolRole, dashboard};

/// Number of rows in each list of the dashboard.
const MAX_DASHBOARD_ROWS: i64 = 12;

/// Returns the dashboard.
pub async fn board(parts: &AppState, actor: &Actor) -> Result<Dashboard, DomainError> {
    let now = parts.clock.now();
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, now).await?;
    let hidden = kinds::words_hidden_from(actor);
    let off = kinds::words_off_dashboard(actor);
    let next = dashboard::upcoming(lease.conn(), MAX_DASHBOARD_ROWS, &off).await.map_err(internal_error)?;
    let recent = dashboard::recent(lease.conn(), MAX_DASHBOARD_ROWS, &off).await.map_err(internal_error)?;
    let counts = dashboard::counts(lease.conn(), now, hidden).await.map_err(internal_error)?;
    drop(lease);
    let attention = match actor.is_admin() {
        true => counts.attention.unsigned_abs(),
        false => attention::count(parts, actor).await?.all,
    };
    Ok(Dashboard {
        next: presenter.tasks(next),
        recent: presenter.tasks(recent),
        scheduled: counts.scheduled.unsigned_abs(),
        attention,
        executed_today: counts.executed_today.unsigned_abs(),
    })
}
