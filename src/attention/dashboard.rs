//! The dashboard.

use crate::{
    app_state::AppState,
    attention, kinds,
    services::{Presenter, internal_error},
};
use domain::{Actor, DomainError, task::Dashboard};
use store::{
    PoolRole,
    dashboard::{self, Shown},
};

/// Number of rows in each list of the dashboard.
const MAX_DASHBOARD_ROWS: i64 = 12;

/// Returns the dashboard. `is_own`: without what belongs to others.
pub async fn board(parts: &AppState, actor: &Actor, is_own: bool) -> Result<Dashboard, DomainError> {
    let now = parts.clock.now();
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, now).await?;
    let hidden = kinds::words_hidden_from(actor);
    let (off, private) = (kinds::words_off_dashboard(actor), kinds::private_words());
    let shown = Shown { hidden: &off, private: &private, account: actor.account, is_own };
    let next = dashboard::upcoming(lease.conn(), MAX_DASHBOARD_ROWS, shown).await.map_err(internal_error)?;
    let recent = dashboard::recent(lease.conn(), MAX_DASHBOARD_ROWS, shown).await.map_err(internal_error)?;
    let owner = is_own.then_some(actor.account);
    let counts = dashboard::counts(lease.conn(), now, (hidden, owner)).await.map_err(internal_error)?;
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
