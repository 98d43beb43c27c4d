//! Local times, times in words, texts, pages and results of bulk changes that all features share.

pub(crate) mod bulk_outcome;
pub mod calendar;
pub mod city;
pub(crate) mod diff_line;
pub mod local_time;
pub mod page;
pub mod text;
pub mod time_presets;
pub mod typed_time;
pub mod when;
pub mod zone_rules;
