//! Rules over signals: list, editor and page. Admins only.

pub mod duration;
pub mod editor;
pub mod form_values;
pub mod list_page;
pub mod new_page;
pub mod page;
pub mod result;
pub mod sentence;
pub mod server_fns;
pub mod templates;
