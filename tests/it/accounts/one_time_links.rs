//! One-time links in mails: opening one changes nothing; only its form does.

use crate::{
    http_client::Reply,
    on_both,
    test_server::{TestServer, client_at},
};
use domain::Role;
use domain::services::{Accounts as _, Invitations as _, Sessions as _};
use reqwest::Method;

on_both!(an_invitation_is_accepted_only_by_its_form, a_reset_is_accepted_only_by_its_form,);

/// Requests that mail scanners, previews and prefetchers make.
async fn prefetch(server: &TestServer, path: &str) {
    for method in [Method::HEAD, Method::GET, Method::OPTIONS, Method::GET, Method::HEAD] {
        let request = server.as_anonymous().request(method.clone(), path).header("purpose", "prefetch");
        let reply = Reply::of(request).await;
        assert!(reply.status < 500, "{method} {path}: {}", reply.status);
        assert!(reply.headers.get("set-cookie").is_none(), "{method} sets no session cookie");
    }
}

async fn accept_link(server: &TestServer, path: &str, name: &str) -> Reply {
    let token = path.split_once("token=").unwrap().1;
    let form = [("token", token), ("name", name), ("password", "a brand new sentence"), ("from", path)];
    server.browser().form("/fn/accept", &form).await
}

async fn an_invitation_is_accepted_only_by_its_form(server: TestServer) {
    let accounts = &server.app.accounts;
    let link = accounts.invite(&server.admin.actor, "new@desk.test", "New", Role::Creator).await.unwrap();
    let before = accounts.list(&server.admin.actor).await.unwrap();
    prefetch(&server, &link.path).await;
    assert_eq!(accounts.list(&server.admin.actor).await.unwrap(), before);
    let function =
        server.as_anonymous().get(&format!("/fn/accept?{}", link.path.split_once('?').unwrap().1)).await;
    assert!(function.status >= 400, "{}", function.status);
    assert_eq!(server.as_anonymous().get(&link.path).await.status, 200, "the link is still valid");
    let reply = accept_link(&server, &link.path, "New").await;
    assert!((300..400).contains(&reply.status), "{} {}", reply.status, reply.text);
    assert_eq!(accounts.list(&server.admin.actor).await.unwrap().len(), before.len() + 1);
    assert_eq!(server.as_anonymous().get(&link.path).await.status, 410);
}

async fn a_reset_is_accepted_only_by_its_form(server: TestServer) {
    let (accounts, user) = (&server.app.accounts, &server.creator);
    let link = accounts.reset_password(&server.admin.actor, user.actor.account).await.unwrap();
    prefetch(&server, &link.path).await;
    let client = client_at("127.0.0.1", "test");
    let session = accounts.log_in(&user.email, &user.password, &client).await;
    assert!(session.is_ok(), "the old password is valid until the form is sent");
    let reply = accept_link(&server, &link.path, "").await;
    assert!((300..400).contains(&reply.status), "{} {}", reply.status, reply.text);
    assert!(accounts.log_in(&user.email, &user.password, &client).await.is_err());
    assert_eq!(server.as_anonymous().get(&link.path).await.status, 410);
}
