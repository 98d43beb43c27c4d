//! What only the owner of the data may read.

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
    fs::set_permissions(file, Permissions::from_mode(mode)).expect("it is ours");
}

/// All files of the data folder.
fn files(program: &Program) -> Vec<PathBuf> {
    fs::read_dir(program.data()).expect("a folder").map(|entry| entry.expect("an entry").path()).collect()
}

#[tokio::test]
async fn every_file_in_a_folder_that_existed_is_for_its_owner_alone() {
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
async fn files_that_were_open_to_others_are_closed_at_the_next_start_and_the_doctor_names_each() {
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
    assert_eq!((mode(&database), mode(&key)), (0o644, 0o640), "the doctor changes nothing");
    assert_eq!(program.run(&["user", "list"]).await.code, 0);
    assert_eq!((mode(&database), mode(&key)), (0o600, 0o600));
    let doctor = program.run(&["doctor", "--listen", "127.0.0.1:0"]).await;
    assert!(doctor.out.contains("ok    files"), "{}", doctor.out);
}

#[tokio::test]
async fn settings_with_secrets_that_others_may_read_are_warned_of() {
    let program = Program::new();
    fs::create_dir(program.data()).expect("a folder");
    let file = program.data().join("presstime.toml");
    let secret = "secret_key = \"a long text that seals the secrets of channels\"\n";
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
