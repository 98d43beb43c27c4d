//! The backups that the server writes by itself.

use super::section::Section;
use crate::{
    engine::{backup_result, server_fns::BackUpNow},
    ui::{form::Form, icon::Icon, result::announce, time::date_time::Relative},
};
use domain::engine::{
    EngineReport,
    backups::{BackupProblem, BackupRun, BackupState, BackupsReport},
};
use leptos::{either::Either, prelude::*};
use texts::{
    Language, attention::card::CardTexts, engine::backups::BackupTexts, language, number::bytes, time,
};

/// The last backup, its verification, the settings, and *Back up now*.
#[component]
pub fn Backups(
    /// The engine report.
    report: Signal<EngineReport>,
) -> impl IntoView {
    let texts = BackupTexts::here();
    let language = language();
    let backups = Memo::new(move |_| report.with(|report| report.backups.clone()));
    let summary = Memo::new(move |_| report.with(|report| summary(language, report)));
    let has_problem = Signal::derive(move || {
        backups.with(|backups| backups.as_ref().is_some_and(|backups| problem(language, backups).is_some()))
    });
    let action = ServerAction::<BackUpNow>::new();
    announce(action, backup_result::of_state);
    let facts = move || match backups.get() {
        Some(backups) => Either::Left(view! { <Facts backups=backups /> }),
        None => Either::Right(view! { <p>{texts.unknown()}</p> }),
    };
    view! {
        <Section id="backups" title=texts.title() summary=summary has_problem=has_problem>
            {facts}
            <p class="hint">{texts.settings()}</p>
            <Form action=action class="inline">
                <button class="button" type="submit"><Icon name="database" />{texts.back_up_now()}</button>
            </Form>
        </Section>
    }
}

/// What is wrong, or when the last backup was written.
fn summary(language: Language, report: &EngineReport) -> String {
    let texts = BackupTexts(language);
    let Some(backups) = &report.backups else { return texts.unknown().to_owned() };
    if let Some(problem) = backups.problem {
        return CardTexts(language).backup_problem(problem.as_str()).to_owned();
    }
    let ago =
        |run: &BackupRun| time::relative(language, run.started_at, report.status.now.max(run.started_at));
    match (&backups.last_written, backups.is_enabled) {
        (Some(run), true) => texts.summary_last(ago(run)),
        (Some(run), false) => texts.summary_off(ago(run)),
        (None, true) => texts.summary_none().to_owned(),
        (None, false) => texts.off().to_owned(),
    }
}

#[component]
fn Facts(backups: BackupsReport) -> impl IntoView {
    let (texts, language) = (BackupTexts::here(), language());
    let problem = problem(language, &backups);
    let every = match backups.is_enabled {
        true => {
            let time = time::span(language, backups.every_ms / 1_000);
            match (backups.keep_daily, backups.keep_weekly, backups.keep_monthly) {
                (days, weeks, 0) => texts.every(time, days, weeks),
                (days, weeks, months) => texts.every_with_months(time, days, weeks, months),
            }
        }
        false => texts.not_by_itself().to_owned(),
    };
    let last = match backups.last_written {
        Some(run) => {
            let size = run.bytes.map(|size| format!(" · {}", bytes(size)));
            let file = run.file.map(|file| format!(" · {file}"));
            Either::Left(view! { <Relative at=run.started_at is_past=true />{size}{file} })
        }
        None => Either::Right(texts.none()),
    };
    let verification = backups.last_verified.and_then(|run| run.verification);
    let restore_ms = verification.as_ref().map(|verification| verification.restore_ms);
    let verified = match verification {
        Some(verification) => {
            let word =
                if verification.problem.is_none() { texts.restorable() } else { texts.not_restorable() };
            Either::Left(view! { <Relative at=verification.at is_past=true />{format!(" · {word}")} })
        }
        None => Either::Right(texts.none()),
    };
    let restore = restore_ms
        .map(|ms| view! { <dt>{texts.restore_takes()}</dt><dd>{time::measured(language, ms)}</dd> });
    view! {
        {problem.map(|problem| view! { <p class="notice warn lines">{problem}</p> })}
        <dl class="facts">
            <dt>{texts.last_backup()}</dt><dd>{last}</dd>
            <dt>{texts.last_verified()}</dt><dd>{verified}</dd>
            {restore}
            <dt>{texts.folder()}</dt><dd>{backups.folder}</dd>
            <dt>{texts.written()}</dt><dd>{every}</dd>
        </dl>
    }
}

/// What is wrong, with the reason on a line of its own; `None`: nothing is.
fn problem(language: Language, backups: &BackupsReport) -> Option<String> {
    let texts = BackupTexts(language);
    let newest = backups.runs.iter().find(|run| run.ended_at.is_some());
    let is_failed = |run: &&BackupRun| matches!(run.state, BackupState::Failed | BackupState::Interrupted);
    let reason = match backups.problem {
        Some(BackupProblem::NoSpace) => newest.and_then(|run| run.bytes).map(|size| texts.needs(bytes(size))),
        Some(BackupProblem::Missed) => newest.and_then(|run| run.detail.clone()),
        Some(BackupProblem::NotRestorable) => {
            backups.last_verified.as_ref().and_then(|run| run.verification.as_ref()?.problem.clone())
        }
        // One failure is no problem yet, but the user who pressed the button looks here for its reason.
        None => newest.filter(is_failed)?.detail.clone(),
    };
    let sentence = match backups.problem {
        Some(problem) => CardTexts(language).backup_problem(problem.as_str()),
        None => texts.last_failed(),
    };
    Some(match reason {
        Some(reason) => format!("{sentence}\n{reason}"),
        None => sentence.to_owned(),
    })
}
