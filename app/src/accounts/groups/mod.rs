//! `/settings/groups`: groups of accounts. For admins; other pages offer them.

pub mod group_fns;
pub mod page;
