//! Groups of accounts: admins change them; reviewers are asked and people are invited by group.

use crate::{
    engine::engine_page::assert_contains,
    on_both,
    test_server::{Account, TestServer},
};
use serde_json::{Value, json};

on_both!(
    admins_create_change_and_delete_groups_and_others_read_them,
    a_group_has_known_members_and_a_name_of_its_own,
    the_page_creates_changes_and_deletes_a_group_without_a_script,
    asking_a_group_asks_its_reviewers_of_that_moment,
    the_form_of_an_article_asks_groups_with_reviewers,
    a_group_ticks_its_members_in_the_form_of_a_meeting,
);

fn id(account: &Account) -> String {
    account.actor.account.to_string()
}

/// Creates a group.
async fn create(server: &TestServer, name: &str, members: &[&Account]) -> Value {
    let members: Vec<String> = members.iter().map(|member| id(member)).collect();
    let new = json!({"name": name, "members": members});
    server.as_admin().post("/api/v1/groups", &new).await.expect(201)
}

fn path(group: &Value) -> String {
    format!("/api/v1/groups/{}", group["id"].as_str().unwrap())
}

/// Ids of the accounts in a list of the API, sorted.
fn ids(accounts: &Value) -> Vec<String> {
    let all = accounts.as_array().unwrap().iter();
    let mut ids: Vec<String> = all.map(|one| one["id"].as_str().unwrap().to_owned()).collect();
    ids.sort();
    ids
}

fn sorted(accounts: &[&Account]) -> Vec<String> {
    let mut ids: Vec<String> = accounts.iter().map(|account| id(account)).collect();
    ids.sort();
    ids
}

async fn admins_create_change_and_delete_groups_and_others_read_them(server: TestServer) {
    let admin = server.as_admin();
    let group = create(&server, " Legal ", &[&server.reviewer, &server.creator, &server.reviewer]).await;
    assert_eq!((&group["name"], &group["version"]), (&json!("Legal"), &json!(1)));
    assert_eq!(ids(&group["members"]), sorted(&[&server.reviewer, &server.creator]));
    let listed = server.as_creator().get("/api/v1/groups").await.expect(200);
    assert_eq!(listed["items"], json!([group]));
    let member = group["members"].as_array().unwrap().iter().find(|one| one["id"] == id(&server.creator));
    assert_eq!(member.unwrap()["may_review"], false);
    // Only admins change them.
    let others = server.as_reviewer();
    assert_eq!(others.post("/api/v1/groups", &json!({"name": "Mine"})).await.status, 403);
    let edit = json!({"name": "Law", "seen_version": 1});
    assert_eq!(others.patch(&path(&group), &edit).await.status, 403);
    assert_eq!(others.delete(&format!("{}?seen_version=1", path(&group))).await.status, 403);
    let changed = admin.patch(&path(&group), &edit).await.expect(200);
    assert_eq!((&changed["name"], &changed["version"]), (&json!("Law"), &json!(2)));
    assert_eq!(changed["members"], group["members"], "absent fields stay");
    assert_eq!(admin.patch(&path(&group), &edit).await.refused(409), "changed");
    let edit = json!({"members": [id(&server.admin)], "seen_version": 2});
    let changed = admin.patch(&path(&group), &edit).await.expect(200);
    assert_eq!((&changed["name"], ids(&changed["members"])), (&json!("Law"), sorted(&[&server.admin])));
    for (seen, status) in [(2, 409), (3, 204), (3, 404)] {
        assert_eq!(admin.delete(&format!("{}?seen_version={seen}", path(&group))).await.status, status);
    }
    assert_eq!(admin.get("/api/v1/groups").await.expect(200)["items"], json!([]));
    let page = server.page(&server.admin, "/activity").await;
    assert_contains(&page, &["A group of people"]);
    assert!(!server.page(&server.creator, "/activity").await.contains("A group of people"));
}

async fn a_group_has_known_members_and_a_name_of_its_own(server: TestServer) {
    let admin = server.as_admin();
    let first = create(&server, "Übersetzung", &[]).await;
    let again = json!({"name": "ÜBERSETZUNG"});
    assert_eq!(admin.post("/api/v1/groups", &again).await.status, 409, "without regard to case");
    let other = create(&server, "Other", &[]).await;
    let edit = json!({"name": "übersetzung", "seen_version": 1});
    assert_eq!(admin.patch(&path(&other), &edit).await.status, 409);
    assert_eq!(admin.patch(&path(&first), &edit).await.expect(200)["name"], "übersetzung");
    for (new, field) in [
        (json!({"name": " "}), "name"),
        (json!({"name": "n".repeat(61)}), "name"),
        (json!({"name": "A", "members": ["unknown"]}), "members"),
        (json!({"name": "A", "members": [uuid::Uuid::now_v7()]}), "members"),
    ] {
        let refused = admin.post("/api/v1/groups", &new).await.expect(422);
        assert_eq!(refused["error"]["field"], field, "{refused}");
    }
    assert_eq!(ids(&admin.get("/api/v1/groups").await.expect(200)["items"]).len(), 2, "nothing is left");
}

async fn the_page_creates_changes_and_deletes_a_group_without_a_script(server: TestServer) {
    const PAGE: &str = "/settings/groups";
    let browser = server.log_in_browser(&server.admin).await;
    assert_contains(&browser.get(PAGE).await.expect_page(), &["There is no group yet.", "New group"]);
    let member = id(&server.reviewer);
    let fields = [("name", " "), ("members[1]", member.as_str()), ("from", PAGE)];
    let refused = browser.form("/fn/create_group", &fields).await;
    assert_eq!(refused.status, 422);
    assert_contains(&refused.text, &["must not be empty"]);
    assert!(refused.text.contains(" checked"), "what was ticked is kept: {}", refused.text);
    let fields = [("name", "Legal & <law>"), ("members[1]", member.as_str()), ("from", PAGE)];
    let created = browser.form("/fn/create_group", &fields).await;
    assert_eq!(created.result_location(), "/settings/groups?done=create");
    let page = browser.get(created.header("location")).await.expect_page();
    let shown = ["The group is created.", "Legal &amp; &lt;law&gt;", "Members: 1. May review: 1."];
    assert_contains(&page, &shown);
    let group = server.as_admin().get("/api/v1/groups").await.expect(200)["items"][0].clone();
    let group_id = group["id"].as_str().unwrap();
    let fields = [("id", group_id), ("seen", "1"), ("name", "Law"), ("from", PAGE)];
    let changed = browser.form("/fn/change_group", &fields).await;
    assert_eq!(changed.result_location(), "/settings/groups?done=save");
    assert_contains(&browser.get(PAGE).await.expect_page(), &["No members.", "Its 0 members stay"]);
    // The form was rendered before the name changed.
    assert_eq!(browser.form("/fn/delete_group", &fields).await.status, 409);
    let fields = [("id", group_id), ("seen", "2"), ("from", PAGE)];
    let deleted = browser.form("/fn/delete_group", &fields).await;
    assert_eq!(deleted.result_location(), "/settings/groups?done=delete");
    let creator = server.log_in_browser(&server.creator).await;
    let fields = [("name", "Mine"), ("from", PAGE)];
    assert_eq!(creator.form("/fn/create_group", &fields).await.status, 403);
}

/// Turns the review on and returns a draft of the creator.
async fn draft(server: &TestServer) -> Value {
    let workflow = json!({"workflow": "one_reviewer"});
    server.as_admin().patch("/api/v1/settings/review", &workflow).await.expect(200);
    let new = json!({"title": "News", "body": "Something happened."});
    server.as_creator().post("/api/v1/articles", &new).await.expect(201)
}

async fn asking_a_group_asks_its_reviewers_of_that_moment(server: TestServer) {
    let article = draft(&server).await;
    let of_article = format!("/api/v1/articles/{}", article["id"].as_str().unwrap());
    let group = create(&server, "Legal", &[&server.reviewer, &server.admin, &server.creator]).await;
    let writers = create(&server, "Writers", &[&server.creator, &server.colleague]).await;
    let creator = server.as_creator();
    let submit = format!("{of_article}/submit");
    for wrong in [json!([writers["id"]]), json!(["unknown"]), json!([uuid::Uuid::now_v7()])] {
        let refused = creator.post(&submit, &json!({"seen_revision": 1, "groups": wrong})).await.expect(422);
        assert_eq!(refused["error"]["field"], "groups", "{refused}");
    }
    let body = json!({"seen_revision": 1, "groups": [group["id"]], "reviewers": [id(&server.admin)]});
    let review = creator.post(&submit, &body).await.expect(200)["review"].clone();
    let asked = sorted(&[&server.reviewer, &server.admin]);
    assert_eq!(ids(&review["asked"]), asked, "each once, and only who may review");
    // A later change of the group changes nothing that was asked.
    let edit = json!({"members": [], "seen_version": 1});
    server.as_admin().patch(&path(&group), &edit).await.expect(200);
    server.as_admin().delete(&format!("{}?seen_version=2", path(&group))).await;
    let shown = server.as_reviewer().get(&of_article).await.expect(200);
    assert_eq!((ids(&shown["review"]["asked"]), &shown["review"]["is_asked"]), (asked, &json!(true)));
    let review = &shown["review"];
    let body = json!({"seen_revision": review["revision"], "revision_hash": review["hash"]});
    let approved = server.as_reviewer().post(&format!("{of_article}/approve"), &body).await.expect(200);
    assert_eq!(approved["review"]["state"], "approved", "one of them is enough");
}

async fn the_form_of_an_article_asks_groups_with_reviewers(server: TestServer) {
    let article = draft(&server).await;
    let article_id = article["id"].as_str().unwrap();
    let group = create(&server, "Legal desk", &[&server.reviewer, &server.colleague]).await;
    create(&server, "Only writers", &[&server.colleague]).await;
    let page = format!("/articles/{article_id}?view=schedule");
    let author = server.log_in_browser(&server.creator).await;
    let shown = author.get(&page).await.expect_page();
    assert_contains(&shown, &["Legal desk", "group, asks 1"]);
    assert!(!shown.contains(">Only writers"), "it has no reviewer: {shown}");
    let group_id = group["id"].as_str().unwrap();
    let form = [("id", article_id), ("seen", "1"), ("groups[0]", group_id), ("from", page.as_str())];
    let done = author.form("/fn/submit_for_review", &form).await;
    assert_eq!(done.status, 303, "{}", done.text);
    let review = server.as_creator().get(&format!("/api/v1/articles/{article_id}")).await.expect(200);
    assert_eq!(ids(&review["review"]["asked"]), sorted(&[&server.reviewer]));
}

async fn a_group_ticks_its_members_in_the_form_of_a_meeting(server: TestServer) {
    let group = create(&server, "Board", &[&server.reviewer, &server.colleague]).await;
    create(&server, "Empty group", &[]).await;
    let browser = server.log_in_browser(&server.creator).await;
    let at = "/meetings/new?date=2027-03-08&start=09:00&end=10:00&zone=UTC&meeting[title]=Tides";
    let ticked = |page: &str| {
        let boxes = page.split("<input").filter(|input| input.contains("name=\"meeting[people][]\""));
        boxes.filter(|input| input.split('>').next().unwrap().contains(" checked")).count()
    };
    let page = browser.get(at).await.expect_page();
    assert_contains(&page, &["Add Board", "A group adds the members that it has now"]);
    assert!(!page.contains("Add Empty group"), "{page}");
    assert_eq!(ticked(&page), 0);
    // Without a script the button loads the form again, with what was typed.
    let page = browser.get(&format!("{at}&group={}", group["id"].as_str().unwrap())).await.expect_page();
    assert_eq!(ticked(&page), 2, "one by one: {page}");
    assert_contains(&page, &["value=\"Tides\""]);
}
