//! Backups contain the files, and `doctor` notices missing ones.

use super::{fixture, path_of};
use crate::{http_client::HttpClient, program::Program};
use std::fs;

const KEY: [&str; 2] = ["--secret-key", "a long text that encrypts the secrets of channels"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_restores_the_files_and_the_doctor_misses_them() {
    let (old, new) = (Program::new(), Program::new());
    let token = old.admin(&KEY).await;
    let serving = old.serve(&KEY).await;
    let caller = HttpClient { token: Some(token.clone()), ..serving.client() };
    let sent = fixture::jpeg_with_metadata(&fixture::picture(700, 500, 1));
    let media = caller.upload("a.jpg", &sent).await.expect(201);
    let file = caller.read_file(&path_of(&media)).await;
    assert_eq!(file.status, 200);
    let backup = old.folder().join("desk.backup");
    let name = backup.to_str().unwrap();
    let answer = old.run(&["backup", name, KEY[0], KEY[1]]).await;
    assert!(answer.code == 0 && answer.out.contains("1 uploaded files"), "{} {}", answer.out, answer.err);
    let answer = new.run(&["restore", name, KEY[0], KEY[1]]).await;
    assert!(answer.code == 0 && !answer.out.contains("missing"), "{} {}", answer.out, answer.err);
    let doctor = new.run(&["doctor", KEY[0], KEY[1]]).await;
    assert!(doctor.out.contains("1 uploaded files exist"), "{}", doctor.out);
    let serving = new.serve(&KEY).await;
    let caller = HttpClient { token: Some(token), ..serving.client() };
    let restored = caller.read_file(&path_of(&media)).await;
    assert_eq!((restored.status, restored.bytes == file.bytes), (200, true));
    // Lost files.
    let hash = path_of(&media)["/media/".len()..].split('/').next().unwrap().to_owned();
    fs::remove_dir_all(old.data().join("media").join(&hash[..2])).unwrap();
    let doctor = old.run(&["doctor", KEY[0], KEY[1]]).await;
    assert!(doctor.out.contains("1 of 1 uploaded files are missing"), "{}", doctor.out);
}
