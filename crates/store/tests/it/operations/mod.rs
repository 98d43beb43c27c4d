//! Audit, reports and the event log.

mod audit_summary;
mod event_log;
mod report;
pub mod scale;
