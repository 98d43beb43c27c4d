//! Health issues: the one vocabulary in which the log, `/readyz`, `presstime doctor`, pages and
//! metrics say what is wrong.

mod detail;
mod kind;

pub use detail::{IssueDetail, MAX_CLOCK_OFFSET_MS, format_utc};
pub use kind::{HealthIssueKind, Severity};

use serde::{Deserialize, Serialize};
use std::fmt;

/// A health issue. Every reader renders it from these values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HealthIssue {
    /// What is wrong.
    pub kind: HealthIssueKind,
    /// What it means for publishing.
    pub severity: Severity,
    /// The cause and its remedy; `None`: not known. Not sent to browsers, which get only texts.
    #[serde(skip)]
    pub detail: Option<IssueDetail>,
}

impl HealthIssue {
    /// The issue that a clock offset is, database clock minus system clock; `None`: it is small.
    #[must_use]
    pub fn of_clock_offset(offset_ms: i64) -> Option<Self> {
        (offset_ms.abs() > detail::REPORTED_CLOCK_OFFSET_MS)
            .then(|| IssueDetail::ClockOffset { offset_ms }.into())
    }

    /// Whether tasks are not executed because of it.
    #[must_use]
    pub fn is_blocking(&self) -> bool {
        self.severity == Severity::Blocking
    }

    /// Returns it as a notice: it does not impair publishing now.
    #[must_use]
    pub fn into_notice(self) -> Self {
        Self { severity: Severity::Notice, ..self }
    }
}

/// Prints the cause and its remedy in English; if they are not known, the kind.
impl fmt::Display for HealthIssue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.detail {
            Some(detail) => detail.fmt(f),
            None => self.kind.fmt(f),
        }
    }
}

impl From<HealthIssueKind> for HealthIssue {
    fn from(kind: HealthIssueKind) -> Self {
        Self { kind, severity: kind.severity(), detail: None }
    }
}

impl From<IssueDetail> for HealthIssue {
    fn from(detail: IssueDetail) -> Self {
        Self { detail: Some(detail.clone()), ..detail.kind().into() }
    }
}

/// A health issue with its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssueReport {
    /// The issue.
    pub issue: HealthIssue,
    /// What it is, in English until it is translated for the viewer.
    pub message: String,
}

impl From<HealthIssue> for IssueReport {
    fn from(issue: HealthIssue) -> Self {
        Self { message: issue.to_string(), issue }
    }
}

/// Returns an error and its causes on one line; a cause that the text contains already is left out.
#[must_use]
pub fn error_chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        next = cause.source();
    }
    text
}
