//! Components used by two or more pages, one per file.

pub mod article;
pub mod delivery;
pub mod shell;
pub mod task;
pub mod time;
pub mod ui;

pub use article::{article_layout, diff, editor, keys, schedule_panel, toolbar};
pub use delivery::{deliveries, delivery_row};
pub use shell::{engine_indicator, flash, layout, nav, settings_menu};
pub use task::{move_form, phase, state_diagram, task_actions, task_row};
pub use time::{date_time, time_picker};
pub use ui::{
    async_view, chart, copy_button, debounce, empty, field, icon, page_header, password_confirmation, result,
    select, textarea, time_zone_options, toast,
};
