//! TLS of all transports: only certificates of trusted authorities are accepted.

use super::{mail, webhook};
use crate::program::Program;
use domain::channel::MailSecurity;
use presstime::{
    process::tls_roots::TlsRoots,
    senders::{egress::Rules, http::HttpSender, mail::MailSender},
};
use test_support::{Authority, Sink, SmtpSink};

fn rules() -> Rules {
    Rules { allow_private: true, ..Rules::default() }
}

#[tokio::test]
async fn a_webhook_needs_a_certificate_of_a_configured_authority() {
    let (authority, sink) = (Authority::generate(), Sink::start().await);
    let proxy = authority.start_proxy(sink.port()).await;
    let address = format!("https://localhost:{}/hook", proxy.port);
    let trusting = TlsRoots::read(Some(&authority.file())).unwrap();
    let answer = webhook::send(&HttpSender::new(rules(), &trusting), &address).await;
    assert_eq!(answer.outcome.as_str(), "delivered", "{answer:?}");
    let other_authority = TlsRoots::read(Some(&Authority::generate().file())).unwrap();
    for trust in [TlsRoots::default(), other_authority] {
        let answer = webhook::send(&HttpSender::new(rules(), &trust), &address).await;
        assert_eq!(answer.outcome.as_str(), "unreachable", "{answer:?}");
    }
    assert_eq!(sink.received().len(), 1);
}

#[tokio::test]
async fn encrypted_mail_needs_a_certificate_of_a_configured_authority() {
    let authority = Authority::generate();
    let start_tls = SmtpSink::start_with(authority.acceptor()).await;
    let backend = SmtpSink::start().await;
    let proxy = authority.start_proxy(backend.port).await;
    let trusting = TlsRoots::read(Some(&authority.file())).unwrap();
    for (security, port, sink) in
        [(MailSecurity::StartTls, start_tls.port, &start_tls), (MailSecurity::Tls, proxy.port, &backend)]
    {
        for (trust, outcome) in [(&trusting, "delivered"), (&TlsRoots::default(), "unreachable")] {
            let mail_sender = MailSender::new(rules(), trust, "https://desk.example.org");
            let answer = mail::send(&mail_sender, "localhost", port, security).await;
            assert_eq!(answer.outcome.as_str(), outcome, "{security:?}: {answer:?}");
        }
        assert_eq!(sink.received().len(), 1, "{security:?}");
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
        // Wrong usage is named even where the port is not free.
        let used = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let listen = used.local_addr().unwrap().to_string();
        let answer = program.run(&["serve", "--listen", &listen, "--extra-ca-certs", &path]).await;
        assert_eq!(answer.code, 2, "{answer:?}");
        assert!(answer.err.contains(file) && answer.err.contains(why), "{}", answer.err);
        answer.is_plain();
        let doctor = other.run(&["doctor", "--extra-ca-certs", &path]).await;
        assert!(doctor.code == 1 && doctor.out.contains(why), "{doctor:?}");
        let of_redis = ["doctor", "--redis-url", "rediss://localhost:1", "--redis-ca-certs", path.as_str()];
        let doctor = other.run(&of_redis).await;
        assert!(
            doctor.code == 1 && doctor.out.contains("redis-ca-certs") && doctor.out.contains(why),
            "{doctor:?}"
        );
    }
    let open = ["serve", "--redis-url", "redis://localhost:1", "--redis-ca-certs", "authority.pem"];
    let answer = program.run(&open).await;
    assert!(answer.code == 2 && answer.err.contains("rediss://"), "{answer:?}");
    assert!(!program.data().exists(), "no file was created");
}
