//! What two pages or more use, one a file.

pub mod bars;
pub mod empty;
pub mod field;
pub mod frame;
pub mod head;
pub mod icon;
pub mod loaded;
pub mod machine;
pub mod moment;
pub mod move_form;
pub mod phase;
pub mod pulse;
pub mod rail;
pub mod task_acts;
pub mod task_row;
pub mod textarea;
pub mod toast;
