//! The engine's loops, what they stand on, and the counts of hints.

use crate::{
    components::{icon::Icon, moment::Relative},
    words::{
        engine::EngineWords,
        language,
        number::{bytes, grouped},
        time,
        weather::WeatherWords,
    },
};
use domain::engine::{EngineReport, LoopReport, PartReport, Trouble, Weather};
use leptos::{either::Either, prelude::*};

/// Each loop with its last round.
#[component]
pub fn Loops(
    /// What the engine says.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let words = EngineWords::here();
    let loops = Memo::new(move |_| report.with(|report| report.loops.clone()));
    let rows = move || loops.get().into_iter().map(|one| view! { <Loop one=one /> }).collect_view();
    view! {
        <section class="panel" aria-labelledby="loops">
            <header><h2 id="loops">{words.loops_title()}</h2></header>
            <div class="scroll" tabindex="0" role="group" aria-labelledby="loops">
                <table class="table">
                    <thead><tr>
                        <th scope="col">{words.loop_name()}</th>
                        <th scope="col">{words.last_round()}</th>
                        <th scope="col" class="number">{words.rounds()}</th>
                        <th scope="col">{words.trouble()}</th>
                    </tr></thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </section>
    }
}

#[component]
fn Loop(one: LoopReport) -> impl IntoView {
    let words = EngineWords::here();
    let beat = match one.beat_at {
        Some(at) => Either::Left(view! { <Relative at=at is_past=true /> }),
        None => Either::Right(words.never()),
    };
    let trouble = match one.trouble {
        Some(Trouble { at, told }) => Either::Left(view! {
            {told.words} " " <span class="over"><Relative at=at is_past=true /></span>
        }),
        None => Either::Right(words.none()),
    };
    view! {
        <tr>
            <th scope="row">{one.name}</th>
            <td>{beat}</td>
            <td class="number">{grouped(one.rounds)}</td>
            <td>{trouble}</td>
        </tr>
    }
}

/// The database and the hints.
#[component]
pub fn Parts(
    /// What the engine says.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let (words, language) = (EngineWords::here(), language());
    let parts = Memo::new(move |_| {
        report.with(|report| (report.sql.clone(), report.hints.clone(), report.heartbeat.weather))
    });
    let about = Memo::new(move |_| {
        report.with(|report| {
            let buckets = (report.buckets, report.served);
            let until = (report.fed_until, report.canary_at);
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
        <section class="panel" aria-labelledby="parts">
            <header><h2 id="parts">{words.parts_title()}</h2></header>
            {move || {
                let (sql, hints, weather) = parts.get();
                let of_hints = weather.filter(|weather| weather.is_of_hints());
                let of_sql = weather.filter(|weather| weather.is_of_database());
                let of_sql = of_sql.or((!sql.is_up).then_some(Weather::DatabaseAway));
                view! {
                    <Part icon="database" name=words.sql() part=sql weather=of_sql />
                    <Part icon="hints" name=words.hints() part=hints weather=of_hints />
                }
            }}
            {move || {
                let ([version, zone_data], started, offset, (fed_until, canary_at), (count, served)) = about.get();
                let buckets = match served > count {
                    true => words.buckets_served(count, served),
                    false => count.to_string(),
                };
                let moment = |name, at: Option<_>| at.map(|at| view! { <dt>{name}</dt><dd><Relative at=at /></dd> });
                view! {
                    <dl class="facts">
                        <dt>{words.offset()}</dt><dd>{time::measured(language, offset)}</dd>
                        <dt>{words.buckets()}</dt><dd>{buckets}</dd>
                        {moment(words.fed_until(), fed_until)}
                        {moment(words.canary(), canary_at)}
                        <dt>{words.version()}</dt><dd>{version}</dd>
                        <dt>{words.zone_data()}</dt><dd>{zone_data}</dd>
                        <dt>{words.started()}</dt><dd><Relative at=started /></dd>
                    </dl>
                }
            }}
        </section>
    }
}

#[component]
fn Part(icon: &'static str, name: &'static str, part: PartReport, weather: Option<Weather>) -> impl IntoView {
    let words = EngineWords::here();
    let (class, mark, word) = match part.is_up {
        true => ("state-word good", "executed", words.up()),
        false => ("state-word bad", "failed", words.down()),
    };
    let ping = part.ping_us.map(|us| format!("{} {}.{:03} ms", words.ping(), us / 1_000, us % 1_000));
    let memory = part.memory.map(|memory| match memory.limit {
        0 => words.memory_free(bytes(memory.used)),
        limit => words.memory_of(bytes(memory.used), bytes(limit)),
    });
    let memory = memory.map(|memory| format!("{} {memory}", words.memory()));
    view! {
        <div>
            <p class="row">
                <Icon name=icon />
                <span>{name}": "{part.name}</span>
                <span class=class><Icon name=mark />{word}</span>
                <span class="over">{ping}</span>
                <span class="over">{memory}</span>
            </p>
            {weather.map(|weather| view! { <p class="alert">{WeatherWords::here().sentence(weather)}</p> })}
            {part.trouble.map(|told| view! { <p class="alert">{told.words}</p> })}
        </div>
    }
}

/// How many hints are where, and what became of them.
#[component]
pub fn Counts(
    /// What the engine says.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let words = EngineWords::here();
    let counts = Memo::new(move |_| report.with(|report| (report.hint_counts, report.stale.clone())));
    let rows = move || {
        let (counts, stale) = counts.get();
        let known = [
            (words.future(), counts.future),
            (words.publish(), counts.publish),
            (words.fed(), counts.fed),
            (words.moved(), counts.moved),
            (words.rescued(), counts.rescued),
            (words.stale_title(), counts.stale),
        ];
        let reasons = stale.into_iter().filter(|(_, count)| *count > 0);
        let reasons = reasons.map(|(reason, count)| (words.stale(reason), count));
        let all: Vec<_> = known.into_iter().chain(reasons).collect();
        all.into_iter().map(|(name, count)| view! { <dt>{name}</dt><dd>{grouped(count)}</dd> }).collect_view()
    };
    view! {
        <section class="panel" aria-labelledby="counts">
            <header><h2 id="counts">{words.counts_title()}</h2></header>
            <dl class="facts">{rows}</dl>
        </section>
    }
}
