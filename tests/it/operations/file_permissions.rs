//! File permissions: private files in the data folder.

use crate::program::Program;
use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

fn mode(file: &Path) -> u32 {
    fs::metadata(file).unwrap_or_else(|why| panic!("{}: {why}", file.display())).permissions().mode() & 0o777
}

fn open_up(file: &Path, mode: u32) {
    fs::set_permissions(file, Permissions::from_mode(mode)).expect("the file is owned by the test");
}

/// All files of the data folder.
fn files(program: &Program) -> Vec<PathBuf> {
    fs::read_dir(program.data()).expect("a folder").map(|entry| entry.expect("an entry").path()).collect()
}

#[tokio::test]
async fn every_file_in_an_existing_folder_is_private_to_its_owner() {
    let program = Program::new();
    fs::create_dir(program.data()).expect("a folder");
    open_up(&program.data(), 0o755);
    let serving = program.serve(&[]).await;
    let backup = program.run(&["backup", "data/desk.backup"]).await;
    assert_eq!(backup.code, 0, "{}", backup.err);
    let names: Vec<String> =
        files(&program).iter().map(|file| file.file_name().unwrap().to_string_lossy().into_owned()).collect();
    for name in ["presstime.db", "presstime.db-wal", "presstime.db-shm", "secret.key", "desk.backup"] {
        assert!(names.iter().any(|there| there == name), "{name} is missing in {names:?}");
    }
    for file in files(&program) {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
    assert_eq!(serving.end().await, 0);
}

#[tokio::test]
async fn readable_files_are_reported_by_doctor_and_made_private_at_the_next_start() {
    let program = Program::new();
    assert_eq!(program.serve(&[]).await.end().await, 0);
    let [database, key] = ["presstime.db", "secret.key"].map(|name| program.data().join(name));
    open_up(&database, 0o644);
    open_up(&key, 0o640);
    let doctor = program.run(&["doctor", "--listen", "127.0.0.1:0"]).await;
    assert_eq!(doctor.code, 0, "{}{}", doctor.out, doctor.err);
    for file in ["presstime.db", "secret.key"] {
        let line = doctor.out.lines().find(|line| line.starts_with("warn  files") && line.contains(file));
        assert!(line.is_some_and(|line| line.contains("chmod 600")), "{file}: {}", doctor.out);
    }
    assert_eq!((mode(&database), mode(&key)), (0o644, 0o640), "doctor changes nothing");
    assert_eq!(program.run(&["user", "list"]).await.code, 0);
    assert_eq!((mode(&database), mode(&key)), (0o600, 0o600));
    let doctor = program.run(&["doctor", "--listen", "127.0.0.1:0"]).await;
    assert!(doctor.out.contains("ok    files"), "{}", doctor.out);
}

#[tokio::test]
async fn a_data_folder_to_which_others_may_write_is_reported() {
    let program = Program::new();
    fs::create_dir(program.data()).expect("a folder");
    for (mode, beginning) in [(0o770, "warn  folder"), (0o702, "warn  folder"), (0o755, "ok    folder")] {
        open_up(&program.data(), mode);
        let doctor = program.run(&["doctor", "--listen", "127.0.0.1:0"]).await;
        assert!(doctor.out.lines().any(|line| line.starts_with(beginning)), "{mode:o}: {}", doctor.out);
        assert_eq!(doctor.code, 0, "{}", doctor.out);
    }
}

#[tokio::test]
async fn a_readable_settings_file_with_a_secret_causes_a_warning() {
    let program = Program::new();
    fs::create_dir(program.data()).expect("a folder");
    let file = program.data().join("presstime.toml");
    let secret = "secret_key = \"a long text that encrypts the secrets of channels\"\n";
    for (text, mode, is_warned) in
        [(secret, 0o644, true), (secret, 0o600, false), ("buckets = 4\n", 0o644, false)]
    {
        fs::write(&file, text).expect("a file");
        open_up(&file, mode);
        let migrated = program.run(&["migrate"]).await;
        assert_eq!(migrated.code, 0, "{}", migrated.err);
        assert_eq!(migrated.err.contains("presstime.toml"), is_warned, "{text} {mode:o}: {}", migrated.err);
        let doctor = program.run(&["doctor", "--listen", "127.0.0.1:0"]).await;
        let names =
            doctor.out.lines().any(|line| line.starts_with("warn") && line.contains("presstime.toml"));
        assert_eq!(names, is_warned, "{text} {mode:o}: {}", doctor.out);
    }
}

#[tokio::test]
async fn secrets_are_encrypted_again_while_no_server_runs_and_the_former_key_is_kept() {
    let program = Program::new();
    let [key, next, former] =
        ["secret.key", "secret.key.next", "secret.key.former-1"].map(|name| program.data().join(name));
    assert_eq!(program.run(&["secrets", "rotate"]).await.code, 1, "there is no database");
    let serving = program.serve(&[]).await;
    // It answers after its first heartbeat.
    serving.client().get("/login").await;
    let first = fs::read_to_string(&key).expect("a key");
    let refused = program.run(&["secrets", "rotate"]).await;
    assert!(refused.code == 1 && refused.err.contains("stop it first"), "{}{}", refused.out, refused.err);
    assert_eq!(fs::read_to_string(&key).expect("a key"), first);
    assert_eq!(serving.end().await, 0);
    let done = program.run(&["secrets", "rotate"]).await;
    assert!(done.code == 0 && done.out.contains("secret.key.former-1"), "{}{}", done.out, done.err);
    assert_eq!(fs::read_to_string(&former).expect("the former key"), first);
    assert_ne!(fs::read_to_string(&key).expect("a key"), first);
    assert_eq!((mode(&key), mode(&former), next.exists()), (0o600, 0o600, false));
    // It ended after the commit, before the files were renamed: the next start does that.
    fs::rename(&key, &next).expect("a file");
    fs::copy(&former, &key).expect("a file");
    assert_eq!(program.serve(&[]).await.end().await, 0);
    assert!(!program.data().join("secret.key.former-2").exists(), "it is kept once");
    assert_eq!(fs::read_to_string(&former).expect("the former key"), first);
    assert_eq!((next.exists(), key.exists()), (false, true));
    // The text of --secret-key is replaced.
    let [one, two] = ["one", "two"].map(|word| word.repeat(12));
    let file = program.folder().join("one");
    fs::write(&file, &one).expect("a file");
    assert_eq!(program.serve(&["--secret-key", &one]).await.end().await, 0);
    fs::remove_file(&key).expect("a file");
    let lost = program.run(&["secrets", "rotate", "--secret-key", &two]).await;
    assert!(lost.code == 1 && lost.err.contains("another key"), "{}", lost.err);
    let named = ["secrets", "rotate", "--secret-key", two.as_str(), "--former-key", "one"];
    let done = program.run(&named).await;
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert_eq!(program.serve(&["--secret-key", &two]).await.end().await, 0);
}
