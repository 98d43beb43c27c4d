//! The four guarantees, each with its counter and how it is checked.

use super::section::Section;
use crate::{
    session::visitor,
    ui::{icon::Icon, time::date_time::Relative},
};
use domain::{
    Timestamp,
    engine::{EngineReport, StaleReason},
};
use leptos::{either::Either, prelude::*};
use texts::{
    engine::guarantee::GuaranteeTexts,
    language,
    number::{counted, grouped},
    sentences, time,
};

/// Minimum of the shown gap, in milliseconds. Shorter gaps are not recorded.
const MIN_SHOWN_GAP_MS: i64 = 5_000;
/// Age from which a gap puts nothing at risk any more, in milliseconds.
const GAP_RISK_MS: i64 = 24 * 3_600_000;

/// State of a guarantee.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GuaranteeStatus {
    /// Nothing was audited.
    NotYet,
    Kept,
    AtRisk,
    Broken,
}

/// A guarantee.
#[derive(Clone, PartialEq)]
struct GuaranteeRow {
    id: &'static str,
    name: &'static str,
    status: GuaranteeStatus,
    count: String,
    /// Number of audited items, where they are counted.
    of: Option<String>,
    how: String,
    last: Option<Timestamp>,
}

/// The guarantees with their counters.
#[component]
pub fn Guarantees(
    /// The engine report.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let texts = GuaranteeTexts::here();
    let rows = Memo::new(move |_| report.with(rows));
    let has = move |status| rows.with(|rows| rows.iter().any(|row| row.status == status));
    let audited = Memo::new(move |_| report.with(|report| report.audit.audited));
    let summary = Signal::derive(move || match audited.get() {
        _ if has(GuaranteeStatus::Broken) => texts.violated().to_owned(),
        _ if has(GuaranteeStatus::AtRisk) => texts.at_risk().to_owned(),
        0 => texts.not_yet_audited().to_owned(),
        count => texts.kept_over(grouped(count)),
    });
    let is_broken = Signal::derive(move || has(GuaranteeStatus::Broken));
    view! {
        <Section id="audit" title=texts.title() summary=summary has_problem=is_broken>
            <p class="hint">{move || report.with(since).map(|since| texts.lead(since))}</p>
            <ul class="guarantees">{move || rows.get().into_iter().map(view_row).collect_view()}</ul>
        </Section>
    }
}

/// Start of the audit, in the user's time zone.
fn since(report: &EngineReport) -> Option<String> {
    let at = report.audit.since?;
    Some(time::moment(language(), at, visitor().zone(), report.status.now))
}

fn rows(report: &EngineReport) -> [GuaranteeRow; 4] {
    let (texts, audit) = (GuaranteeTexts::here(), report.audit);
    let stale = |reason: StaleReason| {
        report.stale.iter().filter(|(one, _)| *one == reason).map(|(_, count)| count).sum::<u64>()
    };
    let outdated = stale(StaleReason::Changed) + stale(StaleReason::Gone);
    let audited = || Some(texts.audited(grouped(audit.audited)));
    let kept = if audit.audited == 0 { GuaranteeStatus::NotYet } else { GuaranteeStatus::Kept };
    let broken_if = |is_broken: bool| if is_broken { GuaranteeStatus::Broken } else { kept };
    let lost = if audit.overdue > 0 { GuaranteeStatus::AtRisk } else { kept };
    let had_gap = audit.last_gap_at.is_some_and(|at| report.status.now.since(at) < GAP_RISK_MS);
    let silent = match audit.overdue_checked_at {
        _ if had_gap => GuaranteeStatus::AtRisk,
        Some(_) => GuaranteeStatus::Kept,
        None => GuaranteeStatus::NotYet,
    };
    let longest = audit.longest_gap_ms.max(MIN_SHOWN_GAP_MS).unsigned_abs().div_ceil(1_000);
    [
        GuaranteeRow {
            id: "lost",
            name: texts.lost(),
            status: if audit.lost > 0 { GuaranteeStatus::Broken } else { lost },
            count: texts.lost_count(counted(audit.overdue), grouped(audit.lost)),
            of: audited(),
            how: texts.lost_check().to_owned(),
            last: audit.overdue_checked_at,
        },
        GuaranteeRow {
            id: "early",
            name: texts.early(),
            status: broken_if(audit.early + report.lateness.early > 0),
            count: texts.early_count(grouped(audit.early), grouped(stale(StaleReason::Early))),
            of: audited(),
            how: texts.early_check().to_owned(),
            last: audit.audited_at,
        },
        GuaranteeRow {
            id: "twice",
            name: texts.twice(),
            status: broken_if(audit.duplicates > 0),
            count: texts.twice_count(grouped(audit.duplicates), grouped(outdated)),
            of: audited(),
            how: texts.twice_check().to_owned(),
            last: audit.audited_at,
        },
        GuaranteeRow {
            id: "silent",
            name: texts.silent(),
            status: silent,
            count: texts.silent_count(counted(report.status.attention), grouped(audit.unmonitored_gaps)),
            of: None,
            how: texts.silent_check(grouped(longest)),
            last: audit.overdue_checked_at,
        },
    ]
}

fn view_row(row: GuaranteeRow) -> impl IntoView {
    let texts = GuaranteeTexts::here();
    let (class, mark, word) = match row.status {
        GuaranteeStatus::NotYet => ("state-word", "scheduled", texts.not_yet()),
        GuaranteeStatus::Kept => ("state-word good", "executed", texts.kept()),
        GuaranteeStatus::AtRisk => ("state-word due", "attention", texts.at_risk()),
        GuaranteeStatus::Broken => ("state-word bad", "failed", texts.violated()),
    };
    let last = match row.last {
        Some(at) => Either::Left(view! { <Relative at=at is_past=true /> }),
        None => Either::Right(texts.not_yet()),
    };
    let checked = sentences(&row.how, &sentences(texts.last_check(), ""));
    view! {
        <li data-guarantee=row.id>
            <h3>{row.name}</h3>
            <span class=class><Icon name=mark />{word}</span>
            <p class="counter">{row.of.map(|of| format!("{of} · "))}{row.count}{texts.full_stop()}</p>
            <p class="muted">{checked}{last}{texts.full_stop()}</p>
        </li>
    }
}
