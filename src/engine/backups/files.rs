//! Names of backups: by time, which of them are deleted, and temporary files.

use super::keep::kept;
use crate::{
    files::names_in,
    process::{config::KeepRule, disk::PART},
};
use domain::Timestamp;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// Beginning of the names of files and folders that are written here. Others are left alone.
const PREFIX: &str = "auto-";
const ENDING: &str = ".backup";
/// Beginning of the names of scratch folders.
const SCRATCH: &str = "verify-";

/// Name of the backup of this time: `auto-2026-11-30T03-00-00.000Z.backup`.
fn file_name(at: Timestamp) -> String {
    format!("{PREFIX}{}{ENDING}", at.to_string().replace(':', "-"))
}

/// Returns the time in the name of a backup; `None`: it is not one that is thinned out.
fn time_of(name: &str) -> Option<Timestamp> {
    let (date, time) = name.strip_prefix(PREFIX)?.strip_suffix(ENDING)?.split_once('T')?;
    format!("{date}T{}", time.replace('-', ":")).parse().ok()
}

/// Returns a name for a backup of this time that is not taken.
pub fn free_name(taken: &[String], mut at: Timestamp) -> String {
    loop {
        let name = file_name(at);
        if !taken.contains(&name) {
            return name;
        }
        at = at.plus(1);
    }
}

/// Returns the backups that the server wrote by itself, the newest first.
pub fn newest_first(names: Vec<String>) -> Vec<String> {
    let backups = names.into_iter().filter_map(|name| time_of(&name).map(|at| (at, name)));
    let backups: BTreeSet<(Timestamp, String)> = backups.collect();
    backups.into_iter().rev().map(|(_, name)| name).collect()
}

/// Removes the temporary files that an ended process has not finished.
pub fn remove_unfinished(folder: &Path) {
    let is_unfinished = |name: &String| name.strip_suffix(PART).is_some_and(|name| time_of(name).is_some());
    for name in names_in(folder).into_iter().filter(is_unfinished) {
        let _ = fs::remove_file(folder.join(name));
    }
}

/// Removes the scratch folders that an ended process has not removed.
pub fn remove_scratch_folders(folder: &Path) {
    for name in names_in(folder).into_iter().filter(|name| is_scratch(name)) {
        let _ = fs::remove_dir_all(folder.join(name));
    }
}

/// Whether a folder has a name of [`scratch_folder`]. Others may be those of other programs.
fn is_scratch(name: &str) -> bool {
    let is_hex = |id: &str| id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    name.strip_prefix(SCRATCH).is_some_and(is_hex)
}

/// Returns a path for a scratch folder that does not exist.
pub fn scratch_folder(folder: &Path) -> PathBuf {
    folder.join(format!("{SCRATCH}{}", uuid::Uuid::now_v7().simple()))
}

/// Returns the backups that are no longer kept, but none of `needed`.
pub fn not_kept(names: Vec<String>, keep: KeepRule, needed: &[String]) -> Vec<String> {
    let backups: Vec<(String, Timestamp)> =
        names.into_iter().filter_map(|name| time_of(&name).map(|at| (name, at))).collect();
    let needed: Vec<Timestamp> = needed.iter().filter_map(|name| time_of(name)).collect();
    let kept = kept(backups.iter().map(|(_, at)| *at).collect(), &needed, keep);
    backups.into_iter().filter(|(_, at)| !kept.contains(at)).map(|(name, _)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::disk::part_of;

    #[test]
    fn the_time_is_read_from_the_name() {
        let at: Timestamp = "2026-11-30T03:34:34.123Z".parse().expect("a time");
        assert_eq!(file_name(at), "auto-2026-11-30T03-34-34.123Z.backup");
        assert_eq!(time_of(&file_name(at)), Some(at));
        for other in [
            "before-1.2.0-2026-11-30T03-34-34.123Z.backup",
            "desk.backup",
            "auto-desk.backup",
            "auto-.backup.part",
        ] {
            assert_eq!(time_of(other), None, "{other}");
        }
    }

    #[test]
    fn only_own_scratch_folders_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let (own, other) = (scratch_folder(folder.path()), folder.path().join("verify-scripts"));
        for path in [&own, &other] {
            fs::create_dir(path).expect("a folder");
        }
        remove_scratch_folders(folder.path());
        assert!(!own.exists() && other.exists());
    }

    #[test]
    fn only_own_files_are_thinned_out() {
        let first: Timestamp = "2026-11-30T03:00:00Z".parse().expect("a time");
        let names = [file_name(first), file_name(first.plus(1)), "before-1.0.0-x.backup".to_owned()];
        let rule = KeepRule { daily: 7, weekly: 4, monthly: 0 };
        // The name of the new one is older when the clock was set back.
        assert!(not_kept(names.to_vec(), rule, &names[..1]).is_empty());
        assert_eq!(not_kept(names.to_vec(), rule, &[]), [names[0].clone()]);
        assert_eq!(free_name(&names, first), file_name(first.plus(2)));
        assert_eq!(newest_first(names.to_vec()), [names[1].clone(), names[0].clone()]);
        assert!(newest_first(names[2..].to_vec()).is_empty());
    }

    #[test]
    fn only_own_temporary_files_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let first: Timestamp = "2026-11-30T03:00:00Z".parse().expect("a time");
        let complete = folder.path().join(file_name(first));
        let (unfinished, other) = (part_of(&complete), folder.path().join("desk.backup.part"));
        for path in [&complete, &unfinished, &other] {
            fs::write(path, "").expect("a file");
        }
        remove_unfinished(folder.path());
        assert!(complete.exists() && other.exists() && !unfinished.exists());
    }
}
