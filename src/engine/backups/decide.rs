//! Decides when a backup is due, when one is verified, and what is wrong.

use domain::{
    Timestamp,
    engine::backups::{BackupProblem, BackupRun, BackupState},
};

/// Time from the first account to the first backup, milliseconds.
const FIRST_AFTER_MS: i64 = 600_000;
/// Time after which a backup that was not written is tried again, milliseconds.
const RETRY_AFTER_MS: i64 = 3_600_000;
/// Interval between two verifications, milliseconds.
const VERIFY_EVERY_MS: i64 = 7 * 86_400_000;

/// Whether a backup is due. `newest`: the newest run. `first_account`: when the first account was
/// created; before that there is nothing to save. Like all intervals here, it survives a clock that
/// was set back.
pub fn is_due(
    newest: Option<&BackupRun>,
    first_account: Option<Timestamp>,
    now: Timestamp,
    every_ms: i64,
) -> bool {
    let has_passed = |since: Timestamp, ms: i64| now.since(since).saturating_abs() >= ms;
    match newest {
        None => first_account.is_some_and(|at| has_passed(at, FIRST_AFTER_MS)),
        Some(run) => match run.state {
            BackupState::Running => false,
            BackupState::Written => has_passed(run.started_at, every_ms),
            BackupState::Skipped | BackupState::Failed | BackupState::Interrupted => {
                has_passed(run.started_at, every_ms.min(RETRY_AFTER_MS))
            }
        },
    }
}

/// Whether the last written backup is to be verified: once a week, and after one that cannot be
/// restored the next one at once.
pub fn is_verification_due(
    last_written: &BackupRun,
    last_verified: Option<&BackupRun>,
    now: Timestamp,
) -> bool {
    if last_written.verification.is_some() || last_written.removed_at.is_some() {
        return false;
    }
    match last_verified.and_then(|run| run.verification.as_ref()) {
        Some(last) => last.problem.is_some() || now.since(last.at).saturating_abs() >= VERIFY_EVERY_MS,
        None => true,
    }
}

/// Returns what is wrong and since when; `None`: nothing is. `runs`: newest first.
pub fn problem(
    runs: &[BackupRun],
    last_verified: Option<&BackupRun>,
    now: Timestamp,
    every_ms: i64,
) -> Option<(BackupProblem, Timestamp)> {
    let is_over = |run: &&BackupRun| run.state != BackupState::Running;
    let missed: Vec<&BackupRun> =
        runs.iter().filter(is_over).take_while(|run| run.state != BackupState::Written).collect();
    if let Some((newest, oldest)) = missed.first().zip(missed.last()) {
        if newest.state == BackupState::Skipped {
            return Some((BackupProblem::NoSpace, oldest.started_at));
        }
        if missed.len() > 1 {
            return Some((BackupProblem::Missed, oldest.started_at));
        }
    }
    // A run that does not end.
    let written = runs.iter().find(|run| run.state == BackupState::Written);
    if let Some(written) = written.filter(|run| now.since(run.started_at) >= every_ms.saturating_mul(2)) {
        return Some((BackupProblem::Missed, written.started_at.plus(every_ms)));
    }
    let verification = last_verified.and_then(|run| run.verification.as_ref())?;
    verification.problem.is_some().then_some((BackupProblem::NotRestorable, verification.at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::engine::backups::BackupVerification;

    const DAY_MS: i64 = 86_400_000;
    const NOW: Timestamp = Timestamp::from_millis(1_803_888_000_000);

    fn run(state: BackupState, age_ms: i64) -> BackupRun {
        BackupRun {
            number: 1,
            state,
            started_at: NOW.plus(-age_ms),
            ended_at: None,
            node: String::new(),
            file: None,
            bytes: None,
            removed_at: None,
            detail: None,
            verification: None,
        }
    }

    fn verified(age_ms: i64, problem: Option<&str>) -> BackupRun {
        let at = NOW.plus(-age_ms);
        let problem = problem.map(str::to_owned);
        let verification = Some(BackupVerification { at, restore_ms: 1, problem });
        BackupRun { verification, ..run(BackupState::Written, age_ms) }
    }

    #[test]
    fn the_first_backup_follows_the_first_account() {
        let due = |account: Option<i64>| is_due(None, account.map(|age| NOW.plus(-age)), NOW, DAY_MS);
        assert_eq!([None, Some(599_999), Some(600_000)].map(due), [false, false, true]);
    }

    #[test]
    fn a_backup_is_due_after_the_interval_and_a_missed_one_after_an_hour() {
        let due = |state, age_ms| is_due(Some(&run(state, age_ms)), Some(NOW), NOW, DAY_MS);
        assert!(!due(BackupState::Written, DAY_MS - 1) && due(BackupState::Written, DAY_MS));
        assert!(due(BackupState::Written, -DAY_MS), "the clock was set back");
        for state in [BackupState::Skipped, BackupState::Failed, BackupState::Interrupted] {
            assert!(!due(state, 3_599_999) && due(state, 3_600_000), "{state}");
        }
        assert!(!due(BackupState::Running, 10 * DAY_MS));
    }

    #[test]
    fn the_newest_backup_is_verified_once_a_week() {
        let due = |last: Option<&BackupRun>| is_verification_due(&run(BackupState::Written, 0), last, NOW);
        assert!(
            due(None) && due(Some(&verified(7 * DAY_MS, None))) && due(Some(&verified(1, Some("broken"))))
        );
        assert!(!due(Some(&verified(7 * DAY_MS - 1, None))));
        assert!(!is_verification_due(&verified(8 * DAY_MS, None), None, NOW));
    }

    #[test]
    fn one_skipped_or_two_missed_or_one_that_cannot_be_restored_is_a_problem() {
        use BackupState::{Failed, Interrupted, Running, Skipped, Written};
        let found = |states: &[BackupState]| {
            let runs: Vec<BackupRun> = (1..).zip(states).map(|(age, state)| run(*state, age)).collect();
            problem(&runs, None, NOW, DAY_MS).map(|(problem, since)| (problem, NOW.since(since)))
        };
        assert_eq!(found(&[]), None);
        assert_eq!(found(&[Failed, Written, Failed, Failed]), None);
        assert_eq!(found(&[Running, Skipped, Written]), Some((BackupProblem::NoSpace, 2)));
        assert_eq!(found(&[Skipped, Failed, Skipped]), Some((BackupProblem::NoSpace, 3)));
        assert_eq!(found(&[Failed, Interrupted, Written]), Some((BackupProblem::Missed, 2)));
        let endless = [run(Running, DAY_MS), run(Written, 2 * DAY_MS)];
        assert_eq!(problem(&endless, None, NOW, DAY_MS).map(|found| found.0), Some(BackupProblem::Missed));
        let broken = verified(5, Some("broken"));
        let problem = problem(&[run(Written, 5)], Some(&broken), NOW, DAY_MS);
        assert_eq!(problem, Some((BackupProblem::NotRestorable, NOW.plus(-5))));
    }
}
