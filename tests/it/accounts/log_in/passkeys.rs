//! Passkeys, with a device in software: adding one, logging in with it, and answers that do not fit.

use crate::{
    engine_page::assert_contains,
    http_client::HttpClient,
    on_both,
    test_server::{Account, TestServer, client_at},
};
use domain::{
    DomainError, PasskeyId,
    account::LoggedIn,
    accounts::{
        passkey::{
            Confirmations, NewPasskey, PasskeyAnswer, PasskeyBrowser, PasskeyChallenge, Passkeys as _,
        },
        second_factor::{RULE_GRACE_MS, RequiredFor},
    },
    error::ValidationError,
    services::{Invitations as _, SecondFactors as _, Sessions as _},
};
use test_support::{CreatedPasskey, PasskeyProof, SoftPasskey};

on_both!(
    a_passkey_is_added_and_logs_in_without_the_password,
    answers_that_do_not_fit_are_refused,
    a_new_key_that_does_not_fit_is_refused,
    a_challenge_is_answered_once_and_within_five_minutes,
    a_challenge_is_bound_to_its_browser_purpose_and_account,
    a_counter_that_goes_back_is_refused,
    a_disabled_account_and_a_removed_passkey_do_not_log_in,
    guesses_of_passwords_do_not_delay_a_passkey,
    without_the_password_only_passkeys_log_in,
    an_admin_removes_lost_passkeys,
    a_passkey_confirms_in_place_of_the_password,
    passkeys_without_the_password_are_a_second_factor,
);

const URL: &str = "https://desk.example.org";
const HOST: &str = "desk.example.org";
const MINUTE_MS: i64 = 60_000;

fn browser_of(issued: &PasskeyChallenge) -> PasskeyBrowser {
    PasskeyBrowser { url: URL.to_owned(), cookie: issued.cookie.clone() }
}

fn new_passkey(created: CreatedPasskey) -> NewPasskey {
    let CreatedPasskey { credential, client_data, authenticator_data, public_key } = created;
    NewPasskey { name: "Key".to_owned(), credential, client_data, authenticator_data, public_key }
}

fn answer_of(proof: PasskeyProof) -> PasskeyAnswer {
    let PasskeyProof { credential, client_data, authenticator_data, signature, handle } = proof;
    PasskeyAnswer { credential, client_data, authenticator_data, signature, handle }
}

fn wrong<T>() -> Result<T, DomainError> {
    Err(DomainError::invalid("passkey", ValidationError::WrongPasskey))
}

/// Adds a passkey of a device that counts from `counter`; 0: it does not count.
async fn add(server: &TestServer, user: &Account, counter: u32) -> SoftPasskey {
    let accounts = &server.app.accounts;
    let issued = accounts.begin_adding_passkey(&user.actor, URL).await.unwrap();
    let account = issued.request.account.clone().unwrap();
    let mut passkey = SoftPasskey::new(HOST, URL, &account.handle);
    passkey.counter = counter;
    let new = new_passkey(passkey.create(&issued.request.challenge));
    accounts.add_passkey(&user.actor, &browser_of(&issued), new).await.unwrap();
    passkey
}

async fn ask(server: &TestServer) -> PasskeyChallenge {
    server.app.accounts.begin_passkey_log_in(URL).await.unwrap()
}

async fn answer(
    server: &TestServer,
    issued: &PasskeyChallenge,
    proof: PasskeyProof,
) -> Result<LoggedIn, DomainError> {
    let client = client_at("192.0.2.7", "test");
    server.app.accounts.log_in_with_passkey(&browser_of(issued), &answer_of(proof), &client).await
}

async fn log_in(server: &TestServer, passkey: &mut SoftPasskey) -> Result<LoggedIn, DomainError> {
    let issued = ask(server).await;
    answer(server, &issued, passkey.prove(&issued.request.challenge)).await
}

async fn log_in_with_password(server: &TestServer, user: &Account) -> Result<LoggedIn, DomainError> {
    let client = client_at("127.0.0.1", "test");
    server.app.accounts.log_in(&user.email, &user.password, &client).await
}

async fn a_passkey_is_added_and_logs_in_without_the_password(server: TestServer) {
    let user = &server.creator;
    let mut passkey = add(&server, user, 0).await;
    let session = log_in(&server, &mut passkey).await.unwrap().session;
    let actor = server.app.accounts.authenticate_session(&session).await.unwrap().unwrap();
    assert_eq!(actor.account, user.actor.account);
    let list = server.as_creator().get("/api/v1/passkeys").await.expect(200);
    assert_eq!((&list["items"][0]["name"], &list["is_password_off"]), (&"Key".into(), &false.into()));
    assert!(list["items"][0]["used_at"].is_string(), "{list}");
    let path = format!("/api/v1/passkeys/{}", list["items"][0]["id"].as_str().unwrap());
    assert_eq!(server.as_colleague().delete(&path).await.status, 404, "of another account");
    assert_eq!(server.as_creator().delete(&path).await.status, 204);
    assert_eq!(log_in(&server, &mut passkey).await.map(drop), wrong());
}

/// What is changed at a passkey, and how.
type Spoil = (&'static str, fn(&mut SoftPasskey));

async fn answers_that_do_not_fit_are_refused(server: TestServer) {
    let user = &server.creator;
    let mut passkey = add(&server, user, 0).await;
    let mut other = add(&server, &server.colleague, 0).await;
    let right = (passkey.host.clone(), passkey.origin.clone(), passkey.handle.clone());
    let change: [Spoil; 6] = [
        ("origin", |passkey| passkey.origin = "https://desk.example.org.evil.example".to_owned()),
        ("port", |passkey| passkey.origin = "https://desk.example.org:8443".to_owned()),
        ("site", |passkey| passkey.host = "evil.example".to_owned()),
        ("the user is not checked", |passkey| passkey.flags = 1),
        ("the user is not there", |passkey| passkey.flags = 4),
        ("account", |passkey| passkey.handle = "AAAAAAAAAAAAAAAAAAAAAA".to_owned()),
    ];
    for (what, change) in change {
        change(&mut passkey);
        assert_eq!(log_in(&server, &mut passkey).await.map(drop), wrong(), "{what}");
        (passkey.host, passkey.origin, passkey.handle) = right.clone();
        passkey.flags = 5;
    }
    let issued = ask(&server).await;
    let proof = passkey.prove(&issued.request.challenge);
    let theirs = other.prove(&issued.request.challenge);
    let spoil: [(&str, PasskeyProof); 8] = [
        ("another key", PasskeyProof { credential: theirs.credential.clone(), ..proof.clone() }),
        ("another signature", PasskeyProof { signature: theirs.signature, ..proof.clone() }),
        ("no text", PasskeyProof { credential: "A\0A".to_owned(), ..proof.clone() }),
        ("an unknown key", PasskeyProof { credential: "AAAA".to_owned(), ..proof.clone() }),
        (
            "cut",
            PasskeyProof { authenticator_data: proof.authenticator_data[..40].to_owned(), ..proof.clone() },
        ),
        ("empty", PasskeyProof { client_data: "e30".to_owned(), ..proof.clone() }),
        ("no base64", PasskeyProof { signature: "*".to_owned(), ..proof.clone() }),
        ("1 MB", PasskeyProof { authenticator_data: "A".repeat(1_000_000), ..proof.clone() }),
    ];
    for (what, proof) in spoil {
        assert_eq!(answer(&server, &issued, proof).await.map(drop), wrong(), "{what}");
    }
    assert!(answer(&server, &issued, proof).await.is_ok(), "the challenge was not used up");
}

async fn a_new_key_that_does_not_fit_is_refused(server: TestServer) {
    let (accounts, user) = (&server.app.accounts, &server.creator);
    let mut passkey = add(&server, user, 0).await;
    let issued = accounts.begin_adding_passkey(&user.actor, URL).await.unwrap();
    let created = SoftPasskey::new(HOST, URL, &passkey.handle).create(&issued.request.challenge);
    let spoil: [(&str, CreatedPasskey); 4] = [
        (
            "cut",
            CreatedPasskey {
                authenticator_data: created.authenticator_data[..90].to_owned(),
                ..created.clone()
            },
        ),
        ("no key", CreatedPasskey { public_key: String::new(), ..created.clone() }),
        ("cut key", CreatedPasskey { public_key: created.public_key[..60].to_owned(), ..created.clone() }),
        ("another id", CreatedPasskey { credential: proof_id(&mut passkey), ..created.clone() }),
    ];
    for (what, created) in spoil {
        let new = new_passkey(created);
        assert_eq!(accounts.add_passkey(&user.actor, &browser_of(&issued), new).await, wrong(), "{what}");
    }
    let twice = new_passkey(passkey.create(&issued.request.challenge));
    let browser = browser_of(&issued);
    assert_eq!(accounts.add_passkey(&user.actor, &browser, twice).await, wrong(), "it was added before");
    assert_eq!(accounts.add_passkey(&user.actor, &browser, new_passkey(created)).await, Ok(()));
}

fn proof_id(passkey: &mut SoftPasskey) -> String {
    passkey.prove("").credential
}

async fn a_challenge_is_answered_once_and_within_five_minutes(server: TestServer) {
    let mut passkey = add(&server, &server.creator, 0).await;
    let issued = ask(&server).await;
    let proof = passkey.prove(&issued.request.challenge);
    assert!(answer(&server, &issued, proof.clone()).await.is_ok());
    assert_eq!(answer(&server, &issued, proof).await.map(drop), wrong(), "replayed");
    let issued = ask(&server).await;
    let proof = passkey.prove(&issued.request.challenge);
    let (one, two) =
        tokio::join!(answer(&server, &issued, proof.clone()), answer(&server, &issued, proof.clone()));
    assert_eq!([one.is_ok(), two.is_ok()].iter().filter(|is_ok| **is_ok).count(), 1, "one of a race");
    let issued = ask(&server).await;
    let proof = passkey.prove(&issued.request.challenge);
    server.advance(5 * MINUTE_MS).await;
    assert_eq!(answer(&server, &issued, proof).await.map(drop), wrong(), "too late");
}

async fn a_challenge_is_bound_to_its_browser_purpose_and_account(server: TestServer) {
    let (accounts, user) = (&server.app.accounts, &server.creator);
    let mut passkey = add(&server, user, 0).await;
    let issued = ask(&server).await;
    let proof = passkey.prove(&issued.request.challenge);
    let forged = |cookie: String| PasskeyChallenge { cookie, request: issued.request.clone() };
    let elsewhere = ask(&server).await;
    let later = issued.cookie.replacen('.', ".9", 1);
    for cookie in [String::new(), elsewhere.cookie, later, "a.b.c".to_owned()] {
        let other = forged(cookie);
        assert_eq!(answer(&server, &other, proof.clone()).await.map(drop), wrong(), "{}", other.cookie);
    }
    let to_add = accounts.begin_adding_passkey(&user.actor, URL).await.unwrap();
    let proof = passkey.prove(&to_add.request.challenge);
    assert_eq!(answer(&server, &to_add, proof).await.map(drop), wrong(), "a challenge to add one");
    let new = || new_passkey(SoftPasskey::new(HOST, URL, "").create(&to_add.request.challenge));
    let theirs = accounts.add_passkey(&server.colleague.actor, &browser_of(&to_add), new()).await;
    assert_eq!(theirs, wrong(), "the challenge of another account");
    let local = PasskeyBrowser { url: "http://localhost:3000".to_owned(), ..browser_of(&to_add) };
    assert_eq!(accounts.add_passkey(&user.actor, &local, new()).await, wrong(), "another address");
    let none = DomainError::invalid("passkey", ValidationError::NoPasskeySite);
    for url in ["http://127.0.0.1:3000", "https://192.0.2.4", "http://desk.example.org"] {
        assert_eq!(accounts.begin_passkey_log_in(url).await, Err(none.clone()), "{url}");
    }
}

async fn a_counter_that_goes_back_is_refused(server: TestServer) {
    let mut passkey = add(&server, &server.creator, 7).await;
    assert!(log_in(&server, &mut passkey).await.is_ok());
    for counter in [3, 7, 0] {
        passkey.counter = counter;
        assert_eq!(log_in(&server, &mut passkey).await.map(drop), wrong(), "{counter}: a copy of the key");
    }
    passkey.counter = 20;
    assert!(log_in(&server, &mut passkey).await.is_ok());
}

async fn a_disabled_account_and_a_removed_passkey_do_not_log_in(server: TestServer) {
    use domain::{account::OnDisable, services::Accounts as _};
    let (accounts, user) = (&server.app.accounts, &server.creator);
    let mut passkey = add(&server, user, 0).await;
    accounts.disable(&server.admin.actor, user.actor.account, Some(OnDisable::Keep)).await.unwrap();
    assert_eq!(log_in(&server, &mut passkey).await.map(drop), wrong());
    accounts.enable(&server.admin.actor, user.actor.account).await.unwrap();
    assert!(log_in(&server, &mut passkey).await.is_ok());
    let own = accounts.passkeys(&user.actor, URL).await.unwrap();
    assert!(own.is_possible && own.localhost_url.is_none());
    let other = accounts.remove_passkey(&user.actor, PasskeyId::generate()).await;
    assert_eq!(other, Err(DomainError::no_such("passkey")));
    accounts.remove_passkey(&user.actor, own.items[0].id).await.unwrap();
    assert_eq!(log_in(&server, &mut passkey).await.map(drop), wrong());
}

async fn guesses_of_passwords_do_not_delay_a_passkey(server: TestServer) {
    let user = &server.creator;
    let mut passkey = add(&server, user, 0).await;
    for number in 0..25 {
        let client = client_at(&format!("198.51.100.{number}"), "");
        server.app.accounts.log_in(&user.email, "a wrong password", &client).await.unwrap_err();
    }
    let refused = log_in_with_password(&server, user).await;
    assert!(matches!(refused, Err(DomainError::TooMany { .. })), "{refused:?}");
    assert!(log_in(&server, &mut passkey).await.is_ok());
    // Answers that do not fit are limited too.
    passkey.flags = 1;
    let mut last = Ok(());
    for _ in 0..70 {
        last = log_in(&server, &mut passkey).await.map(drop);
    }
    assert!(matches!(last, Err(DomainError::TooMany { .. })), "{last:?}");
}

async fn without_the_password_only_passkeys_log_in(server: TestServer) {
    let (accounts, user) = (&server.app.accounts, &server.creator);
    assert_eq!(accounts.turn_password_off(&user.actor, true).await, Err(DomainError::Changed), "no passkey");
    let mut passkey = add(&server, user, 0).await;
    accounts.turn_password_off(&user.actor, true).await.unwrap();
    assert_eq!(log_in_with_password(&server, user).await.map(drop), Err(DomainError::WrongLogIn));
    let session = log_in(&server, &mut passkey).await.unwrap().session;
    let actor = accounts.authenticate_session(&session).await.unwrap().unwrap();
    let client = client_at("127.0.0.1", "test");
    let confirmed = accounts.confirm_password(&actor, &user.password, &client).await;
    assert_eq!(confirmed, Err(DomainError::invalid("password", ValidationError::WrongPassword)));
    // The last passkey does not go without the password coming back.
    let own = accounts.passkeys(&user.actor, URL).await.unwrap();
    assert!(own.is_password_off);
    accounts.remove_passkey(&user.actor, own.items[0].id).await.unwrap();
    assert!(log_in_with_password(&server, user).await.is_ok());
    // A link of an admin lets a new password log in.
    add(&server, user, 0).await;
    accounts.turn_password_off(&user.actor, true).await.unwrap();
    let link = accounts.reset_password(&server.admin.actor, user.actor.account).await.unwrap();
    let token = link.path.rsplit_once("token=").unwrap().1.to_owned();
    let reset = [("token", token.as_str()), ("password", "another fine sentence"), ("from", "/login")];
    assert_eq!(server.browser().form("/fn/accept", &reset).await.status, 303);
    let again = Account { password: "another fine sentence".to_owned(), ..user.clone() };
    assert!(log_in_with_password(&server, &again).await.is_ok());
}

async fn an_admin_removes_lost_passkeys(server: TestServer) {
    let (accounts, user) = (&server.app.accounts, &server.creator);
    let mut passkey = add(&server, user, 0).await;
    accounts.turn_password_off(&user.actor, true).await.unwrap();
    let session = log_in(&server, &mut passkey).await.unwrap().session;
    let refused = accounts.reset_passkeys(&server.colleague.actor, user.actor.account).await;
    assert_eq!(refused, Err(DomainError::NotAllowed));
    let page = server.log_in_browser(&server.admin).await.get("/settings/people").await.expect_page();
    assert_contains(&page, &["Remove passkeys"]);
    accounts.reset_passkeys(&server.admin.actor, user.actor.account).await.unwrap();
    assert_eq!(accounts.authenticate_session(&session).await.unwrap(), None);
    assert_eq!(log_in(&server, &mut passkey).await.map(drop), wrong());
    assert!(log_in_with_password(&server, user).await.is_ok());
}

async fn a_passkey_confirms_in_place_of_the_password(server: TestServer) {
    let (accounts, user) = (&server.app.accounts, &server.creator);
    let mut passkey = add(&server, user, 0).await;
    let session = log_in(&server, &mut passkey).await.unwrap().session;
    server.advance(10 * MINUTE_MS).await;
    let actor = accounts.authenticate_session(&session).await.unwrap().unwrap();
    let ways = |has_password, has_passkey| Ok(Confirmations { has_password, has_passkey });
    assert_eq!(accounts.confirmations(&actor).await, ways(true, true));
    assert_eq!(accounts.confirmations(&server.admin.actor).await, ways(true, false));
    let again = DomainError::invalid("password", ValidationError::PasswordAgain);
    assert_eq!(accounts.turn_password_off(&actor, true).await, Err(again.clone()));
    assert_eq!(accounts.begin_adding_passkey(&actor, URL).await, Err(again));
    let mut theirs = add(&server, &server.colleague, 0).await;
    let issued = accounts.begin_passkey_confirmation(&actor, URL).await.unwrap();
    let proof = answer_of(theirs.prove(&issued.request.challenge));
    assert_eq!(accounts.confirm_with_passkey(&actor, &browser_of(&issued), &proof).await, wrong());
    let proof = answer_of(passkey.prove(&issued.request.challenge));
    accounts.confirm_with_passkey(&actor, &browser_of(&issued), &proof).await.unwrap();
    let actor = accounts.authenticate_session(&session).await.unwrap().unwrap();
    accounts.turn_password_off(&actor, true).await.unwrap();
    assert_eq!(accounts.confirmations(&actor).await, ways(false, true));
}

async fn passkeys_without_the_password_are_a_second_factor(server: TestServer) {
    let (accounts, user) = (&server.app.accounts, &server.creator);
    accounts.require_second_factor(&server.admin.actor, RequiredFor::All).await.unwrap();
    let mut passkey = add(&server, user, 0).await;
    server.advance(RULE_GRACE_MS).await;
    let must_add = async |passkey: &mut SoftPasskey| {
        let session = log_in(&server, passkey).await.unwrap().session;
        let actor = accounts.authenticate_session(&session).await.unwrap().unwrap();
        actor.session.unwrap().must_add_second_factor
    };
    assert!(must_add(&mut passkey).await, "the password alone still logs in");
    accounts.turn_password_off(&user.actor, true).await.unwrap();
    assert!(!must_add(&mut passkey).await);
}

/// A browser that has opened the desk as `localhost`.
fn local_browser(server: &TestServer) -> HttpClient {
    let url = server.url.replace("127.0.0.1", "localhost");
    HttpClient { url, ..server.browser() }
}

#[tokio::test]
async fn passkeys_are_offered_as_localhost_and_refused_at_an_ip_address() {
    let server = TestServer::start_with(|_| {}).await;
    let page = server.as_anonymous().get("/login").await.expect_page();
    assert_contains(&page, &["Open this desk as localhost", r#"autocomplete="username webauthn""#]);
    assert!(!page.contains(r#"action="/fn/log_in_with_passkey""#), "{page}");
    let browser = local_browser(&server);
    let page = browser.get("/login").await.expect_page();
    assert_contains(&page, &[r#"action="/fn/log_in_with_passkey""#, "Passkeys need JavaScript"]);
    let form = [
        ("email", server.creator.email.as_str()),
        ("password", &server.creator.password),
        ("from", "/login"),
    ];
    assert_eq!(browser.form("/fn/log_in", &form).await.status, 303);
    let issued = browser.script_form("/fn/begin_passkey", &[]).await.expect(200);
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let mut passkey = SoftPasskey::new("localhost", &browser.url, &text(&issued["account"]["handle"]));
    let new = passkey.create(&text(&issued["challenge"]));
    let form = [
        ("new[name]", "My <phone>"),
        ("new[credential]", &new.credential),
        ("new[client_data]", &new.client_data),
        ("new[authenticator_data]", &new.authenticator_data),
        ("new[public_key]", &new.public_key),
        ("from", "/settings/profile"),
    ];
    assert_eq!(browser.form("/fn/add_passkey", &form).await.status, 303);
    let page = browser.get("/settings/profile").await.expect_page();
    assert_contains(&page, &["My &lt;phone", "You can also log in with your password."]);
    let guest = local_browser(&server);
    let issued = guest.script_form("/fn/begin_passkey_log_in", &[]).await.expect(200);
    let proof = passkey.prove(&text(&issued["challenge"]));
    let form = [
        ("answer[credential]", proof.credential.as_str()),
        ("answer[client_data]", &proof.client_data),
        ("answer[authenticator_data]", &proof.authenticator_data),
        ("answer[signature]", &proof.signature),
        ("answer[handle]", &proof.handle),
        ("next", "/articles"),
        ("from", "/login?next=/articles"),
    ];
    let done = guest.form("/fn/log_in_with_passkey", &form).await;
    assert_eq!((done.status, done.header("location")), (303, "/articles"), "{}", done.text);
    guest.get("/articles").await.expect_page();
    let again = local_browser(&server).form("/fn/log_in_with_passkey", &form).await;
    assert_eq!(again.status, 422, "another browser");
    assert_contains(&again.text, &["The passkey was not accepted"]);
}
