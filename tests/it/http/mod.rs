//! HTTP: access, API, limits, live stream.

mod access;
mod activity;
mod api;
mod event_visibility;
mod headers;
mod hosts;
mod html_injection;
mod invalid_input;
mod live;
mod nul_characters;
mod parts;
mod presence;
mod request_limits;
