//! Encrypted ways lead to whom the operator believes, and to nobody else.

use super::{mail, webhook};
use crate::program::Program;
use domain::channel::Security;
use presstime::channels::{guard::Rules, http::Http, mail::Mailer, trust::Trust};
use rig::{Authority, Sink, SmtpSink};

fn rules() -> Rules {
    Rules { allow_private: true, ..Rules::default() }
}

#[tokio::test]
async fn a_webhook_goes_to_a_certificate_of_the_operators_authority() {
    let (authority, sink) = (Authority::fresh(), Sink::start().await);
    let front = authority.before(sink.port()).await;
    let address = format!("https://localhost:{}/hook", front.port);
    let believing = Trust::read(Some(&authority.file())).unwrap();
    let answer = webhook::send(&Http::new(rules(), &believing), &address).await;
    assert_eq!(answer.outcome.as_str(), "delivered", "{answer:?}");
    let strangers = Trust::read(Some(&Authority::fresh().file())).unwrap();
    for trust in [Trust::default(), strangers] {
        let answer = webhook::send(&Http::new(rules(), &trust), &address).await;
        assert_eq!(answer.outcome.as_str(), "unreachable", "{answer:?}");
    }
    assert_eq!(sink.received().len(), 1);
}

#[tokio::test]
async fn a_mail_goes_encrypted_to_a_certificate_of_the_operators_authority() {
    let authority = Authority::fresh();
    let offering = SmtpSink::start_with(authority.acceptor()).await;
    let behind = SmtpSink::start().await;
    let front = authority.before(behind.port).await;
    let believing = Trust::read(Some(&authority.file())).unwrap();
    for (security, port, sink) in
        [(Security::StartTls, offering.port, &offering), (Security::Tls, front.port, &behind)]
    {
        for (trust, outcome) in [(&believing, "delivered"), (&Trust::default(), "unreachable")] {
            let mailer = Mailer::new(rules(), trust, "https://desk.example.org");
            let answer = mail::send(&mailer, "localhost", port, security).await;
            assert_eq!(answer.outcome.as_str(), outcome, "{security:?}: {answer:?}");
        }
        assert_eq!(sink.mailed().len(), 1, "{security:?}");
    }
}

#[tokio::test]
async fn a_file_without_certificates_is_wrong_usage() {
    let (program, other) = (Program::new(), Program::new());
    let folder = program.folder();
    std::fs::write(folder.join("text.pem"), "no certificate").unwrap();
    std::fs::write(folder.join("odd.pem"), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
        .unwrap();
    for (file, why) in [
        ("absent.pem", "cannot be read"),
        ("text.pem", "no certificate in it"),
        ("odd.pem", "cannot be used"),
    ] {
        let path = folder.join(file).display().to_string();
        let answer = program.run(&["serve", "--extra-ca-certs", &path]).await;
        assert_eq!(answer.code, 2, "{answer:?}");
        assert!(answer.err.contains(file) && answer.err.contains(why), "{}", answer.err);
        answer.is_plain();
        let told = other.run(&["doctor", "--extra-ca-certs", &path]).await;
        assert!(told.code == 1 && told.out.contains(why), "{told:?}");
        let of_redis = ["doctor", "--redis-url", "rediss://localhost:1", "--redis-ca-certs", path.as_str()];
        let told = other.run(&of_redis).await;
        assert!(told.code == 1 && told.out.contains("redis-ca-certs") && told.out.contains(why), "{told:?}");
    }
    let open = ["serve", "--redis-url", "redis://localhost:1", "--redis-ca-certs", "authority.pem"];
    let answer = program.run(&open).await;
    assert!(answer.code == 2 && answer.err.contains("rediss://"), "{answer:?}");
    assert!(!program.data().exists(), "nothing was begun");
}
