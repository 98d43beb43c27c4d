//! A build without S3 refuses a bucket.

use crate::program::Program;

#[tokio::test]
async fn a_bucket_is_refused_with_a_message() {
    let keys = [("AWS_ACCESS_KEY_ID", "desk"), ("AWS_SECRET_ACCESS_KEY", "open sesame")];
    let serve = ["serve", "--listen", "127.0.0.1:0", "--media-url", "s3://desk-media"];
    let answer = Program::new().run_with(&serve, &keys, "").await;
    assert!(answer.code == 2 && answer.err.contains("built without S3"), "{}", answer.err);
    answer.is_plain();
    let program = Program::new();
    std::fs::create_dir_all(program.data()).unwrap();
    std::fs::write(program.data().join("presstime.toml"), "[backup]\nto = \"s3://desk-media\"\n").unwrap();
    let answer = program.run_with(&["serve", "--listen", "127.0.0.1:0"], &keys, "").await;
    assert!(answer.code == 2 && answer.err.contains("built without S3"), "{}", answer.err);
}
