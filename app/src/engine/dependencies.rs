//! The engine's loops, its dependencies, and the hint counters.

use crate::{
    engine::texts::EngineTexts,
    texts::{
        colon, language,
        number::{bytes, grouped},
        time,
    },
    ui::{icon::Icon, time::date_time::Relative},
};
use domain::{
    engine::{ComponentReport, EngineReport, LoopError, LoopReport},
    health::IssueReport,
};
use leptos::{either::Either, prelude::*};

/// The loops, each with its last round.
#[component]
pub fn Loops(
    /// The engine report.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let texts = EngineTexts::here();
    let loops = Memo::new(move |_| report.with(|report| report.loops.clone()));
    let rows = move || loops.get().into_iter().map(|one| view! { <Loop one=one /> }).collect_view();
    view! {
        <section class="panel" aria-labelledby="loops">
            <header><h2 id="loops">{texts.loops_title()}</h2></header>
            <div class="scroll" tabindex="0" role="group" aria-labelledby="loops">
                <table class="table">
                    <thead><tr>
                        <th scope="col">{texts.loop_name()}</th>
                        <th scope="col">{texts.last_run()}</th>
                        <th scope="col" class="number">{texts.runs()}</th>
                        <th scope="col">{texts.last_error()}</th>
                    </tr></thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </section>
    }
}

#[component]
fn Loop(one: LoopReport) -> impl IntoView {
    let texts = EngineTexts::here();
    let last_run = match one.last_round_at {
        Some(at) => Either::Left(view! { <Relative at=at is_past=true /> }),
        None => Either::Right(texts.never()),
    };
    let error = match one.error {
        Some(LoopError { at, issue }) => Either::Left(view! {
            {issue.message} " " <span class="eyebrow"><Relative at=at is_past=true /></span>
        }),
        None => Either::Right(texts.none()),
    };
    view! {
        <tr>
            <th scope="row">{one.name}</th>
            <td>{last_run}</td>
            <td class="number">{grouped(one.rounds)}</td>
            <td>{error}</td>
        </tr>
    }
}

/// The database and the hint store.
#[component]
pub fn Dependencies(
    /// The engine report.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let (texts, language) = (EngineTexts::here(), language());
    let dependencies = Memo::new(move |_| {
        report.with(|report| (report.database.clone(), report.hints.clone(), report.issues.clone()))
    });
    let about = Memo::new(move |_| {
        report.with(|report| {
            let buckets = (report.buckets, report.polled_buckets);
            let until = (report.loaded_until, report.canary_at);
            (
                [report.version.clone(), report.time_zone_data.clone()],
                report.started_at,
                report.clock_offset_ms,
                until,
                buckets,
            )
        })
    });
    view! {
        <section class="panel" aria-labelledby="dependencies">
            <header><h2 id="dependencies">{texts.dependencies_title()}</h2></header>
            {move || {
                let (sql, hints, issues) = dependencies.get();
                let (of_sql, others): (Vec<_>, Vec<_>) =
                    issues.into_iter().partition(|one| one.issue.kind.is_database_issue());
                let (of_hints, others): (Vec<_>, Vec<_>) =
                    others.into_iter().partition(|one| one.issue.kind.is_hint_store_issue());
                view! {
                    <Dependency icon="database" name=texts.sql() report=sql issues=of_sql />
                    <Dependency icon="hints" name=texts.hints() report=hints issues=of_hints />
                    {alerts(others)}
                }
            }}
            {move || {
                let ([version, zone_data], started, offset, (loaded_until, canary_at), (count, served)) = about.get();
                let buckets = match served > count {
                    true => texts.buckets_served(count, served),
                    false => count.to_string(),
                };
                let moment = |name, at: Option<_>| at.map(|at| view! { <dt>{name}</dt><dd><Relative at=at /></dd> });
                view! {
                    <dl class="facts">
                        <dt>{texts.offset()}</dt><dd>{time::measured(language, offset)}</dd>
                        <dt>{texts.buckets()}</dt><dd>{buckets}</dd>
                        {moment(texts.loaded_until(), loaded_until)}
                        {moment(texts.canary(), canary_at)}
                        <dt>{texts.version()}</dt><dd>{version}</dd>
                        <dt>{texts.zone_data()}</dt><dd>{zone_data}</dd>
                        <dt>{texts.started()}</dt><dd><Relative at=started /></dd>
                    </dl>
                }
            }}
        </section>
    }
}

fn alerts(issues: Vec<IssueReport>) -> impl IntoView {
    issues.into_iter().map(|one| view! { <p class="alert">{one.message}</p> }).collect_view()
}

#[component]
fn Dependency(
    icon: &'static str,
    name: &'static str,
    report: ComponentReport,
    issues: Vec<IssueReport>,
) -> impl IntoView {
    let texts = EngineTexts::here();
    let (class, mark, word) = match report.is_up {
        true => ("state-word good", "executed", texts.up()),
        false => ("state-word bad", "failed", texts.down()),
    };
    let ping = report.ping_us.map(|us| format!("{} {}.{:03} ms", texts.ping(), us / 1_000, us % 1_000));
    let memory = report.memory.map(|memory| match memory.limit {
        0 => texts.memory_free(bytes(memory.used)),
        limit => texts.memory_of(bytes(memory.used), bytes(limit)),
    });
    let memory = memory.map(|memory| format!("{} {memory}", texts.memory()));
    view! {
        <div>
            <p class="row">
                <Icon name=icon />
                <span>{name}{colon()}{report.name}</span>
                <span class=class><Icon name=mark />{word}</span>
                <span class="eyebrow">{ping}</span>
                <span class="eyebrow">{memory}</span>
            </p>
            {alerts(issues)}
        </div>
    }
}

/// The hint counters.
#[component]
pub fn HintCounts(
    /// The engine report.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let texts = EngineTexts::here();
    let counts = Memo::new(move |_| report.with(|report| (report.hint_counts, report.stale.clone())));
    let rows = move || {
        let (counts, stale) = counts.get();
        let known = [
            (texts.future(), counts.future),
            (texts.publish(), counts.publish),
            (texts.loaded(), counts.loaded),
            (texts.promoted(), counts.promoted),
            (texts.swept(), counts.rescued),
            (texts.skipped(), counts.stale),
        ];
        let reasons = stale.into_iter().filter(|(_, count)| *count > 0);
        let reasons = reasons.map(|(reason, count)| (texts.stale(reason), count));
        let all: Vec<_> = known.into_iter().chain(reasons).collect();
        all.into_iter().map(|(name, count)| view! { <dt>{name}</dt><dd>{grouped(count)}</dd> }).collect_view()
    };
    view! {
        <section class="panel" aria-labelledby="counts">
            <header><h2 id="counts">{texts.hints_title()}</h2></header>
            <dl class="facts">{rows}</dl>
        </section>
    }
}
