//! What happens to an account itself is announced to it: log-ins, passwords, second factors, passkeys and tokens.

use super::{DAY, readable};
use crate::{engine::engine_page::assert_contains, on_both, test_server::TestServer};
use domain::{
    account::Scope,
    accounts::passkey::{NewPasskey, PasskeyBrowser, Passkeys as _},
    services::{SecondFactors as _, Tokens as _},
};
use presstime::security::totp;
use store::{PoolRole, second_factor};
use test_support::{CreatedPasskey, SmtpSink, SoftPasskey};

on_both!(
    a_new_browser_and_a_new_password_are_announced_to_the_account,
    a_changed_second_factor_is_announced_to_the_account,
    changed_passkeys_are_announced_to_the_account,
    a_token_that_expires_is_announced_a_week_before,
);

async fn a_changed_second_factor_is_announced_to_the_account(server: TestServer) {
    let mut announcer = server.announcer().await;
    let (accounts, user) = (&server.app.accounts, &server.creator.actor);
    accounts.create_second_factor(user).await.unwrap();
    let mut lease = server.app.parts.store.read(PoolRole::Web).await.unwrap();
    let stored = second_factor::find(lease.conn(), user.account).await.unwrap().unwrap();
    drop(lease);
    let place = format!("second_factor/{}", user.account);
    let secret = server.app.parts.senders.vault.open(&place, &stored.secret).unwrap();
    accounts.add_second_factor(user, &totp::code_at(&secret, server.now())).await.unwrap();
    accounts.reset_second_factor(&server.admin.actor, user.account).await.unwrap();
    server.announce(&mut announcer).await;
    let notified = server.notified(&server.as_creator()).await;
    assert_eq!(notified.len(), 2, "{notified:?}");
    assert_contains(
        &notified.join("\n"),
        &["A second factor was added to your account", "An admin reset the second factor of your account"],
    );
}

async fn changed_passkeys_are_announced_to_the_account(server: TestServer) {
    let mut announcer = server.announcer().await;
    let (accounts, user) = (&server.app.accounts, &server.creator.actor);
    let url = "https://desk.example.org";
    for name in ["Phone", "Laptop"] {
        let issued = accounts.begin_adding_passkey(user, url).await.unwrap();
        let created = SoftPasskey::new("desk.example.org", url, "").create(&issued.request.challenge);
        let CreatedPasskey { credential, client_data, authenticator_data, public_key } = created;
        let name = name.to_owned();
        let new = NewPasskey { name, credential, client_data, authenticator_data, public_key };
        let browser = PasskeyBrowser { url: url.to_owned(), cookie: issued.cookie };
        accounts.add_passkey(user, &browser, new).await.unwrap();
    }
    accounts.turn_password_off(user, true).await.unwrap();
    // More than three at once are one notification.
    server.announce(&mut announcer).await;
    let own = accounts.passkeys(user, url).await.unwrap();
    accounts.remove_passkey(user, own.items[0].id).await.unwrap();
    accounts.reset_passkeys(&server.admin.actor, user.account).await.unwrap();
    server.announce(&mut announcer).await;
    let notified = server.notified(&server.as_creator()).await;
    assert_eq!(notified.len(), 5, "{notified:?}");
    let expected = [
        "A passkey was added to your account",
        "Log-ins with your password were turned off",
        "A passkey of your account was removed",
        "An admin removed the passkeys of your account",
    ];
    assert_contains(&notified.join("\n"), &expected);
}

async fn a_token_that_expires_is_announced_a_week_before(server: TestServer) {
    let mut announcer = server.announcer().await;
    let (accounts, user) = (&server.app.accounts, &server.creator.actor);
    accounts.create_token(user, "Press robot", 30, Scope::Read).await.unwrap();
    accounts.create_token(&server.colleague.actor, "Of another", 60, Scope::Read).await.unwrap();
    let expiring = async || {
        let mut notified = server.notified(&server.as_creator()).await;
        notified.extend(server.notified(&server.as_colleague()).await);
        notified.retain(|text| text.contains("expires:"));
        notified
    };
    server.announce(&mut announcer).await;
    server.advance_without_loops(22 * DAY);
    server.announce(&mut announcer).await;
    assert_eq!(expiring().await, [""; 0], "it is valid for more than a week");
    // The desk was not running when the week began.
    server.advance_without_loops(3 * DAY);
    for mut node in [announcer, server.announcer().await] {
        server.announce(&mut node).await;
        let texts = expiring().await;
        assert_eq!(texts.len(), 1, "once: {texts:?}");
        assert_contains(&texts[0], &["Your token “Press robot” expires:"]);
    }
    let list = server.as_creator().get("/api/v1/notifications").await.expect(200);
    let items = list["items"].as_array().unwrap();
    let one = items.iter().find(|one| one["text"].as_str().unwrap().contains("expires:")).unwrap();
    assert_eq!(one["link"], "/settings/tokens");
}

async fn a_new_browser_and_a_new_password_are_announced_to_the_account(server: TestServer) {
    let smtp = SmtpSink::start().await;
    server.set_mail_server(&smtp).await;
    let mut announcer = server.announcer().await;
    let first = server.log_in_browser(&server.creator).await;
    server.announce(&mut announcer).await;
    assert_eq!(server.notified(&server.as_creator()).await, [""; 0], "the first browser is no news");
    let again = [
        ("email", server.creator.email.as_str()),
        ("password", &server.creator.password),
        ("from", "/login"),
    ];
    assert_eq!(first.form("/fn/log_in", &again).await.status, 303);
    server.announce(&mut announcer).await;
    assert_eq!(server.notified(&server.as_creator()).await, [""; 0], "it is known");
    server.log_in_browser(&server.creator).await;
    server.announce(&mut announcer).await;
    let list = server.as_creator().get("/api/v1/notifications").await.expect(200);
    let text = list["items"][0]["text"].as_str().unwrap();
    assert_contains(
        text,
        &["log in from a new browser", "127.0.0.1", "If this was not you: change your password."],
    );
    assert_eq!(list["items"][0]["link"], "/settings/profile");
    smtp.wait_for(1).await;
    assert_contains(&readable(&smtp.received()[0]), &["log in from a new browser"]);
    // Unread ones are not replaced: the one before may be the one that counts.
    let password = "a wholly different sentence";
    let change =
        [("old", server.creator.password.as_str()), ("password", password), ("from", "/settings/profile")];
    assert_eq!(first.form("/fn/change_password", &change).await.status, 303);
    server.announce(&mut announcer).await;
    smtp.wait_for(2).await;
    assert_contains(&readable(&smtp.received()[1]), &["The password of your account was changed"]);
    for other in [server.as_admin(), server.as_colleague()] {
        assert_eq!(server.notified(&other).await, [""; 0], "only the account");
    }
}
