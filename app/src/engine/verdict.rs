//! The verdict on the engine, and what is wrong.

use crate::{
    live::{desk_status::SILENT_AFTER_MS, live},
    session::visitor,
    ui::icon::Icon,
};
use domain::{
    AccountId, LocalizedTime, Timestamp,
    engine::EngineReport,
    health::{HealthIssueKind, IssueReport, Severity},
};
use leptos::prelude::*;
use texts::{
    Language,
    engine::verdict::VerdictTexts,
    language,
    number::{counted, grouped},
    time,
};

/// How publishing works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Good,
    Impaired,
    Stopped,
}

/// The first line of the page: how publishing works, the last hour, and what is next.
#[component]
pub fn Verdict(
    /// The engine report.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let me = visitor().account.map(|account| account.id);
    let verdict =
        Memo::new(move |_| report.with(|report| headline(language(), visitor().zone(), me, report)));
    let figures = Memo::new(move |_| report.with(|report| figures(language(), visitor().zone(), report)));
    let checked_at = Memo::new(move |_| report.with(|report| report.status.now));
    let icon = move || match verdict.with(|(level, _)| *level) {
        Level::Good => ("state-word good", "executed"),
        Level::Impaired => ("state-word due", "attention"),
        Level::Stopped => ("state-word bad", "failed"),
    };
    view! {
        <p class="verdict">
            <span class=move || icon().0>{move || view! { <Icon name=icon().1 /> }}<strong>{move || verdict.get().1}</strong></span>
            " "
            <span>{figures}</span>
            " "
            <span class="muted">{move || checked(language(), checked_at.get(), live().now().get())}</span>
        </p>
    }
}

/// `Checked 1 s ago.`
fn checked(language: Language, at: Timestamp, now: Timestamp) -> String {
    let texts = VerdictTexts(language);
    match now.since(at) {
        ..1_000 => texts.checked_now().to_owned(),
        _ => texts.checked(time::relative(language, at, now)),
    }
}

fn headline(language: Language, zone: &str, me: Option<AccountId>, report: &EngineReport) -> (Level, String) {
    let (texts, status, lateness) = (VerdictTexts(language), &report.status, report.lateness);
    let silent_ms = status.now.since(status.heartbeat_at);
    let worst = report.issues.iter().map(|one| (one.issue.kind, one.issue.severity));
    // Such tasks wait; all others are executed.
    let worst = worst.filter(|(_, severity)| *severity != Severity::Notice).min_by_key(|(kind, _)| *kind);
    if silent_ms > SILENT_AFTER_MS {
        return (Level::Stopped, texts.silent(time::span(language, silent_ms / 1_000)));
    }
    match worst {
        Some((kind, Severity::Blocking)) if kind != HealthIssueKind::NewerRelease => {
            (Level::Stopped, texts.stopped().to_owned())
        }
        _ if status.is_paused() => (Level::Impaired, paused(language, zone, me, report)),
        _ if report.audit.overdue > 0 => (Level::Impaired, texts.overdue(counted(report.audit.overdue))),
        Some(_) => (Level::Impaired, texts.impaired().to_owned()),
        None if lateness.late > lateness.late_budget() => (Level::Impaired, texts.too_late().to_owned()),
        None if lateness.late > 0 => (Level::Good, texts.running().to_owned()),
        None => (Level::Good, texts.on_time().to_owned()),
    }
}

/// Who paused, since when and until when.
fn paused(language: Language, zone: &str, me: Option<AccountId>, report: &EngineReport) -> String {
    let (texts, now) = (VerdictTexts(language), report.status.now);
    let Some(pause) = &report.pause else { return texts.paused().to_owned() };
    // Without seconds.
    let minute = |at: LocalizedTime| at.at.plus(-at.at.millis().rem_euclid(60_000));
    let moment = |at| time::moment(language, LocalizedTime { at: minute(at), ..at }, zone, now);
    let is_mine = me.is_some() && report.status.paused_by == me;
    let by = if is_mine { texts.you().to_owned() } else { pause.by.clone() };
    match pause.until {
        Some(until) => texts.paused_until(by, moment(pause.since), moment(until)),
        None => texts.paused_by(by, moment(pause.since)),
    }
}

/// The last hour, and what is next.
fn figures(language: Language, zone: &str, report: &EngineReport) -> String {
    let (texts, lateness) = (VerdictTexts(language), report.lateness);
    let hour = match lateness.count {
        0 => texts.none_in_last_hour().to_owned(),
        count => texts.in_last_hour(
            grouped(count),
            time::measured(language, lateness.p50),
            time::measured(language, lateness.p99),
            grouped(lateness.late),
        ),
    };
    let next = match report.upcoming.next {
        Some(at) => texts.next(time::moment(language, at, zone, report.status.now)),
        None => texts.nothing_next().to_owned(),
    };
    let gap = texts::punctuation::gap(language);
    format!("{hour}{gap}{next}")
}

/// What is wrong and what to do about it. Hidden while nothing is.
#[component]
pub fn Problems(
    /// The engine report.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let texts = VerdictTexts::here();
    // Held messages have a panel of their own.
    let is_listed = |one: &&IssueReport| one.issue.kind != HealthIssueKind::DeliveriesHeld;
    let issues = Memo::new(move |_| {
        report.with(|report| report.issues.iter().filter(is_listed).cloned().collect::<Vec<_>>())
    });
    let attention = Memo::new(move |_| report.with(|report| report.status.attention));
    let link = move || {
        (attention.get() > 0).then(|| view! { <li><Icon name="attention" /><a href="/#needs-you">{texts.attention(counted(attention.get()))}</a></li> })
    };
    move || {
        let issues = issues.get();
        let is_empty = issues.is_empty() && attention.get() == 0;
        (!is_empty).then(|| {
            view! {
                <section class="problems" aria-labelledby="problems">
                    <h2 id="problems">{texts.problems()}</h2>
                    <ul>
                        {issues.into_iter().map(|one| view! { <Problem one=one /> }).collect_view()}
                        {link}
                    </ul>
                </section>
            }
        })
    }
}

#[component]
fn Problem(one: IssueReport) -> impl IntoView {
    let (class, icon) = match one.issue.severity {
        Severity::Blocking => ("bad", "failed"),
        Severity::Degraded => ("due", "attention"),
        Severity::Notice => ("", "info"),
    };
    view! { <li><span class=format!("state-word {class}")><Icon name=icon /></span><span>{one.message}</span></li> }
}

#[cfg(test)]
#[path = "verdict_tests.rs"]
mod tests;
