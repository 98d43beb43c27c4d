//! Local times, times in words, texts and pages that all features share.

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
