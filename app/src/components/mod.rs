//! What two pages or more use, one a file.

pub mod frame;
pub mod icon;
pub mod loaded;
pub mod textarea;
