//! `presstime doctor`: HTTPS, and whether the public URL is this desk.

use crate::program::{Answer, Program};
use test_support::{Authority, Behaviour, Sink, free_port};

/// Runs the checks with a public URL.
async fn examine(program: &Program, public_url: &str) -> Answer {
    program.run(&["doctor", "--listen", "127.0.0.1:0", "--public-url", public_url]).await
}

#[track_caller]
fn has_line(doctor: &Answer, beginning: &str, words: &str) {
    let has = doctor.out.lines().any(|line| line.starts_with(beginning) && line.contains(words));
    assert!(has, "{beginning}: {words}: {doctor:?}");
}

#[tokio::test]
async fn the_public_url_is_this_desk_or_another_one() {
    let (own, other) = (Program::new(), Program::new());
    let (served, elsewhere) = (own.serve(&[]).await, other.serve(&[]).await);
    let doctor = examine(&own, &served.url).await;
    has_line(&doctor, "ok    public", "is this desk and passes the live stream on");
    assert_eq!(doctor.code, 0, "{doctor:?}");
    let doctor = examine(&own, &elsewhere.url).await;
    has_line(&doctor, "fail  public", "is another desk");
    assert_eq!(doctor.code, 1, "{doctor:?}");
}

#[tokio::test]
async fn a_public_url_without_a_desk_is_a_warning() {
    let program = Program::new();
    let closed = format!("http://127.0.0.1:{}", free_port());
    has_line(&examine(&program, &closed).await, "warn  public", "does not answer this machine");
    let site = Sink::start().await;
    site.behave([
        Behaviour::Respond(404, Vec::new(), String::new()),
        Behaviour::Respond(200, Vec::new(), "ok".to_owned()),
    ]);
    let url = format!("http://127.0.0.1:{}", site.port());
    has_line(&examine(&program, &url).await, "warn  public", "answers 404");
    has_line(&examine(&program, &url).await, "warn  public", "not as a desk of this release");
}

#[tokio::test]
async fn what_browsers_lose_without_https_is_a_warning_and_an_expired_certificate_a_failure() {
    let program = Program::new();
    let doctor = program.run(&["doctor", "--listen", "0.0.0.0:0"]).await;
    has_line(&doctor, "warn  https", "Web Push");
    let authority = Authority::generate_until(2020);
    let [cert, key] =
        [authority.server_cert(), authority.server_key()].map(|file| file.display().to_string());
    let flags = ["doctor", "--listen", "127.0.0.1:0", "--tls-cert", &cert, "--tls-key", &key];
    let doctor = program.run(&flags).await;
    has_line(&doctor, "fail  https", "expired at 2020-01-01 00:00:00 UTC");
    assert_eq!(doctor.code, 1, "{doctor:?}");
}
