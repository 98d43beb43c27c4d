//! The promise sheet: never lost, never early, never twice, never silent, each with its counter and how it is looked at.

use crate::{
    components::{icon::Icon, moment::Relative},
    visitor::visitor,
    words::{
        language,
        number::{counted, grouped},
        promise::PromiseWords,
        time,
    },
};
use domain::{
    Timestamp,
    engine::{EngineReport, StaleReason},
};
use leptos::{either::Either, prelude::*};

/// Not to look for longer counts, milliseconds.
const PATIENCE_MS: i64 = 5_000;
/// What is over for so long puts nothing at risk any more, milliseconds.
const DAY_MS: i64 = 24 * 3_600_000;

/// How a promise stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Kept,
    AtRisk,
    Broken,
}

/// A line of the sheet.
struct Line {
    id: &'static str,
    name: &'static str,
    standing: Standing,
    count: String,
    /// What was looked through for it, where that is counted.
    of: Option<String>,
    how: String,
    last: Option<Timestamp>,
}

/// The sheet.
#[component]
pub fn PromiseSheet(
    /// What the engine says.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let words = PromiseWords::here();
    view! {
        <section class="panel whole" aria-labelledby="promises">
            <header>
                <h2 id="promises">{words.title()}</h2>
                <span class="over">{move || report.with(since).map(|since| words.lead(since))}</span>
            </header>
            <ul class="promises">{move || report.with(lines).into_iter().map(shown).collect_view()}</ul>
        </section>
    }
}

/// From when on it counts, on the viewer's clock.
fn since(report: &EngineReport) -> Option<String> {
    let at = report.promises.since?;
    Some(time::moment(language(), at, visitor().zone(), report.heartbeat.now))
}

fn lines(report: &EngineReport) -> [Line; 4] {
    let (words, sheet) = (PromiseWords::here(), report.promises);
    let stale = |reason: StaleReason| {
        report.stale.iter().filter(|(one, _)| *one == reason).map(|(_, count)| count).sum::<u64>()
    };
    let old = stale(StaleReason::Changed) + stale(StaleReason::Gone);
    let audited = || Some(words.audited(grouped(sheet.audited)));
    let broken_if = |is_broken: bool| if is_broken { Standing::Broken } else { Standing::Kept };
    let lost = if sheet.overdue > 0 { Standing::AtRisk } else { Standing::Kept };
    let was_blind = sheet.blind_at.is_some_and(|at| report.heartbeat.now.since(at) < DAY_MS);
    let silent = if was_blind { Standing::AtRisk } else { Standing::Kept };
    let longest = sheet.longest_ms.max(PATIENCE_MS).unsigned_abs().div_ceil(1_000);
    [
        Line {
            id: "lost",
            name: words.lost(),
            standing: if sheet.lost > 0 { Standing::Broken } else { lost },
            count: words.lost_count(counted(sheet.overdue), grouped(sheet.lost)),
            of: audited(),
            how: words.lost_how().to_owned(),
            last: sheet.looked_at,
        },
        Line {
            id: "early",
            name: words.early(),
            standing: broken_if(sheet.early + report.lag.early > 0),
            count: words.early_count(grouped(sheet.early), grouped(stale(StaleReason::Early))),
            of: audited(),
            how: words.early_how().to_owned(),
            last: sheet.audited_at,
        },
        Line {
            id: "twice",
            name: words.twice(),
            standing: broken_if(sheet.twice > 0),
            count: words.twice_count(grouped(sheet.twice), grouped(old)),
            of: audited(),
            how: words.twice_how().to_owned(),
            last: sheet.audited_at,
        },
        Line {
            id: "silent",
            name: words.silent(),
            standing: silent,
            count: words.silent_count(counted(report.heartbeat.attention), grouped(sheet.blind)),
            of: None,
            how: words.silent_how(grouped(longest)),
            last: sheet.looked_at,
        },
    ]
}

fn shown(line: Line) -> impl IntoView {
    let words = PromiseWords::here();
    let (class, mark, word) = match line.standing {
        Standing::Kept => ("state-word good", "executed", words.kept()),
        Standing::AtRisk => ("state-word due", "attention", words.at_risk()),
        Standing::Broken => ("state-word bad", "failed", words.broken()),
    };
    let last = match line.last {
        Some(at) => Either::Left(view! { <Relative at=at is_past=true /> }),
        None => Either::Right(words.not_yet()),
    };
    view! {
        <li data-promise=line.id>
            <h3>{line.name}</h3>
            <span class=class><Icon name=mark />{word}</span>
            <p class="counter">{line.of.map(|of| format!("{of} · "))}{line.count}{words.stop()}</p>
            <p class="quiet">{line.how}" "{words.last()}" "{last}{words.stop()}</p>
        </li>
    }
}
