//! Ids, time, states, texts and limits that all features share.

pub mod calendar;
pub mod city;
pub mod clock;
pub mod id;
pub mod input_limits;
pub mod local_time;
pub mod page;
pub mod state;
pub mod text;
pub mod time;
pub mod time_presets;
pub mod typed_time;
pub mod when;
pub mod zone_rules;
