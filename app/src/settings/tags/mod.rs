//! `/settings/tags`: tags are renamed and merged. For admins.

pub mod tag_fns;
pub mod tags_page;
