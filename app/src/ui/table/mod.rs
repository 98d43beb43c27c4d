//! Lists as tables: tabs with counts, search, sorting, paging, and actions on rows. The URL holds
//! the state of a list, so everything works with links and forms.

pub mod address;
pub mod entries;
pub mod form_row;
pub mod header;
pub mod keys;
pub mod pager;
pub mod row_menu;
pub mod search;
