//! The engine's loops, the database and the queue.

use super::section::Section;
use crate::ui::{icon::Icon, time::date_time::Relative};
use domain::{
    engine::{ComponentReport, EngineReport, LoopError, LoopReport},
    health::{IssueReport, Severity},
};
use leptos::{either::Either, prelude::*};
use texts::{
    colon,
    engine::EngineTexts,
    language,
    number::{bytes, grouped},
    time,
};

/// The loops, each with its last round.
#[component]
pub fn Loops(
    /// The engine report.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let texts = EngineTexts::here();
    let loops = Memo::new(move |_| report.with(|report| report.loops.clone()));
    let rows = move || loops.get().into_iter().map(|one| view! { <Loop one=one /> }).collect_view();
    let count = move |is_ok: bool| {
        loops.with(|loops| loops.iter().filter(|one| one.error.is_none() == is_ok).count())
    };
    let summary = Signal::derive(move || match (count(true), count(false)) {
        (ok, 0) => texts.loops_ok(ok),
        (ok, failing) => texts.loops_failing(ok, failing),
    });
    let has_error = Signal::derive(move || count(false) > 0);
    view! {
        <Section id="loops" title=texts.loops_title() summary=summary has_problem=has_error>
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
        </Section>
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
            <th scope="row">{texts.loop_of(&one.name)}</th>
            <td>{last_run}</td>
            <td class="number">{grouped(one.rounds)}</td>
            <td>{error}</td>
        </tr>
    }
}

/// The database, the hint queue and its counters.
#[component]
pub fn Dependencies(
    /// The engine report.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let texts = EngineTexts::here();
    let components =
        Memo::new(move |_| report.with(|report| (report.database.clone(), report.hints.clone())));
    let issues = Memo::new(move |_| {
        let is_of_them =
            |one: &&IssueReport| one.issue.kind.is_database_issue() || one.issue.kind.is_hint_store_issue();
        report.with(|report| report.issues.iter().filter(is_of_them).cloned().collect::<Vec<_>>())
    });
    let word = move |one: &ComponentReport| {
        format!("{} {}", texts.component(&one.name), if one.is_up { texts.up() } else { texts.down() })
    };
    let summary =
        Signal::derive(move || components.with(|(sql, hints)| format!("{} · {}", word(sql), word(hints))));
    let has_problem = Signal::derive(move || {
        components.with(|(sql, hints)| !sql.is_up || !hints.is_up)
            || issues.with(|issues| issues.iter().any(|one| one.issue.severity != Severity::Notice))
    });
    view! {
        <Section id="dependencies" title=texts.dependencies_title() summary=summary has_problem=has_problem>
            {move || {
                let (sql, hints) = components.get();
                view! {
                    <Dependency icon="database" name=texts.sql() report=sql />
                    <Dependency icon="hints" name=texts.hints() report=hints />
                }
            }}
            <About report=report />
            <HintCounts report=report />
        </Section>
    }
}

/// Version, clocks and buckets.
#[component]
fn About(report: Signal<EngineReport>) -> impl IntoView {
    let (texts, language) = (EngineTexts::here(), language());
    let about = Memo::new(move |_| {
        report.with(|report| {
            let buckets = (report.buckets, report.polled_buckets);
            let until = (report.loaded_until, report.canary_at);
            let versions = [report.version.clone(), report.time_zone_data.clone()];
            (versions, report.started_at, report.clock_offset_ms, until, buckets)
        })
    });
    move || {
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
    }
}

#[component]
fn Dependency(icon: &'static str, name: &'static str, report: ComponentReport) -> impl IntoView {
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
        <p class="row">
            <Icon name=icon />
            <span>{name}{colon()}{texts.component(&report.name)}</span>
            <span class=class><Icon name=mark />{word}</span>
            <span class="eyebrow">{ping}</span>
            <span class="eyebrow">{memory}</span>
        </p>
    }
}

/// The hint counters.
#[component]
fn HintCounts(report: Signal<EngineReport>) -> impl IntoView {
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
        <h3>{texts.hints_title()}</h3>
        <dl class="facts">{rows}</dl>
    }
}
