//! The content of a file is replaced: its address, what uses it and the content before stay.

use super::{draft_with, fixture, path_of, schedule};
use crate::{
    http_client::{HttpClient, Reply},
    on_both,
    test_server::TestServer,
};
use domain::{Clock as _, clock::SystemClock};
use image::ImageFormat;
use reqwest::Method;
use serde_json::{Value, json};

on_both!(
    a_replaced_picture_is_shown_at_its_address_and_put_back,
    the_content_that_was_replaced_is_uploaded_again_as_another_file,
    only_a_file_of_the_same_kind_replaces_one,
    the_address_of_two_accounts_is_replaced_by_an_admin,
    a_reviewed_text_keeps_its_picture,
    what_a_reviewer_has_approved_keeps_its_picture,
    a_file_is_replaced_on_its_page_without_javascript,
);

fn jpeg(seed: u32) -> Vec<u8> {
    fixture::encoded(&fixture::picture(60, 50, seed), ImageFormat::Jpeg)
}

fn own(media: &Value) -> String {
    format!("/api/v1/media/{}", media["id"].as_str().unwrap())
}

async fn replace(caller: &HttpClient, media: &Value, bytes: &[u8]) -> Reply {
    let request = caller.request(Method::POST, &format!("{}/file", own(media)));
    Reply::of(request.header("content-type", "application/octet-stream").body(bytes.to_vec())).await
}

async fn a_replaced_picture_is_shown_at_its_address_and_put_back(server: TestServer) {
    let (creator, stranger) = (server.as_creator(), server.as_anonymous());
    let media = creator.upload("a.png", &fixture::png(1)).await.expect(201);
    let article = draft_with(&server, "Tea", &media).await;
    schedule(&server, "article.publish", &article, 1_000).await;
    server.advance(1_000).await;
    let path = path_of(&media);
    let first = stranger.read_file(&path).await;
    assert_eq!((first.status, first.header("cache-control")), (200, "public, no-cache"));
    let put_back = format!("{}/put-back", own(&media));
    assert_eq!(creator.post(&put_back, &json!({})).await.refused(409), "no_earlier");
    let replaced = replace(&creator, &media, &jpeg(2)).await.expect(200);
    assert_eq!((&replaced["id"], &replaced["version"]), (&media["id"], &json!(2)), "{replaced}");
    assert_eq!((&replaced["type"], &replaced["width"]), (&json!("image/jpeg"), &json!(60)), "{replaced}");
    // A cache that has the first picture gets the second one.
    let tag = first.header("etag");
    let request = stranger.request(Method::GET, &path).header("if-none-match", tag);
    assert_eq!(request.send().await.unwrap().status().as_u16(), 200);
    let second = stranger.read_file(&path).await;
    assert_eq!((second.status, second.header("content-type")), (200, "image/jpeg"));
    assert_eq!(stranger.read_file(&path_of(&replaced)).await.bytes, second.bytes, "its new name");
    let shown = image::load_from_memory(&second.bytes).unwrap();
    assert_eq!((shown.width(), shown.height()), (60, 50));
    let request = stranger.request(Method::GET, &path).header("if-none-match", second.header("etag"));
    assert_eq!(request.send().await.unwrap().status().as_u16(), 304);
    // The history says so, with the number of public articles.
    let events = server.as_admin().get("/api/v1/events?limit=1000").await;
    assert_eq!(events.status, 200, "{}", events.text);
    assert!(
        events.text.contains("\"replace\"") && events.text.contains("public_articles"),
        "{}",
        events.text
    );
    assert_eq!(creator.post(&put_back, &json!({"seen_version": 1})).await.refused(409), "changed");
    let restored = creator.post(&put_back, &json!({"seen_version": 2})).await.expect(200);
    assert_eq!(restored["url"], media["url"], "{restored}");
    assert_eq!(stranger.read_file(&path).await.bytes, first.bytes);
    // Again: the two are changed back.
    creator.post(&put_back, &json!({})).await.expect(200);
    assert_eq!(stranger.read_file(&path).await.bytes, second.bytes);
    // A second replacement: the one before it is kept.
    replace(&creator, &media, &jpeg(3)).await.expect(200);
    creator.post(&put_back, &json!({})).await.expect(200);
    assert_eq!(stranger.read_file(&path).await.bytes, second.bytes);
}

async fn the_content_that_was_replaced_is_uploaded_again_as_another_file(server: TestServer) {
    let creator = server.as_creator();
    let media = creator.upload("a.png", &fixture::png(1)).await.expect(201);
    let first = creator.read_file(&path_of(&media)).await;
    replace(&creator, &media, &jpeg(2)).await.expect(200);
    let again = creator.upload("a.png", &fixture::png(1)).await.expect(201);
    assert!(again["id"] != media["id"] && again["url"] != media["url"], "{again}");
    assert_eq!(creator.read_file(&path_of(&again)).await.bytes, first.bytes);
    let same = creator.upload("b.png", &fixture::png(1)).await.expect(201);
    assert_eq!(same["id"], again["id"]);
    // The sweep takes nothing that is shown or kept.
    let later = SystemClock.now().plus(7_200_000);
    assert_eq!(presstime::media::sweep::once(&server.app.parts, later).await.unwrap(), 0);
    // Neither deletion takes the content of the other.
    assert_eq!(creator.delete(&own(&media)).await.status, 204);
    assert_eq!(creator.read_file(&path_of(&again)).await.bytes, first.bytes);
    assert_eq!(creator.read_file(&path_of(&media)).await.status, 404);
}

async fn only_a_file_of_the_same_kind_replaces_one(server: TestServer) {
    let creator = server.as_creator();
    let media = creator.upload("a.png", &fixture::png(1)).await.expect(201);
    let pdf = b"%PDF-1.4\n%%EOF\n";
    assert_eq!(replace(&creator, &media, pdf).await.refused(415), "other_kind");
    assert_eq!(replace(&creator, &media, b"PK\x03\x04").await.refused(415), "unknown_type");
    assert_eq!(replace(&creator, &media, b"").await.refused(422), "no_file");
    assert_eq!(replace(&server.as_colleague(), &media, &jpeg(1)).await.refused(404), "no_such");
    let document = creator.upload("a.pdf", pdf).await.expect(201);
    assert_eq!(replace(&creator, &document, &jpeg(1)).await.refused(415), "other_kind");
    replace(&creator, &document, b"%PDF-1.5\n%%EOF\n").await.expect(200);
    assert_eq!(creator.read_file(&path_of(&document)).await.bytes, b"%PDF-1.5\n%%EOF\n");
    let file = creator.read_file(&path_of(&media)).await;
    assert_eq!((file.status, file.header("content-type")), (200, "image/png"), "nothing was replaced");
}

async fn the_address_of_two_accounts_is_replaced_by_an_admin(server: TestServer) {
    let (creator, colleague) = (server.as_creator(), server.as_colleague());
    let media = creator.upload("a.png", &fixture::png(1)).await.expect(201);
    let other = colleague.upload("b.png", &fixture::png(1)).await.expect(201);
    assert_eq!(other["url"], media["url"]);
    assert_eq!(replace(&creator, &media, &jpeg(2)).await.refused(403), "not_allowed");
    replace(&server.as_admin(), &media, &jpeg(2)).await.expect(200);
    let file = colleague.read_file(&path_of(&other)).await;
    assert_eq!((file.status, file.header("content-type")), (200, "image/jpeg"));
    assert_eq!(colleague.get(&own(&other)).await.expect(200)["width"], 60);
}

async fn a_reviewed_text_keeps_its_picture(server: TestServer) {
    let creator = server.as_creator();
    let media = creator.upload("a.png", &fixture::png(1)).await.expect(201);
    let article = draft_with(&server, "Tea", &media).await;
    schedule(&server, "article.publish", &article, 1_000).await;
    let reviewer = server.as_reviewer();
    let plate = reviewer.upload("c.png", &fixture::png(5)).await.expect(201);
    let plates = draft_with(&server, "Plates", &plate).await;
    schedule(&server, "article.publish", &plates, 1_000).await;
    server.advance(1_000).await;
    let rule = json!({"workflow": "one_reviewer"});
    server.as_admin().patch("/api/v1/settings/review", &rule).await.expect(200);
    assert_eq!(replace(&creator, &media, &jpeg(2)).await.refused(403), "reviewed");
    let browser = server.log_in_browser(&server.creator).await;
    let page = browser.get(&format!("/media/{}", media["id"].as_str().unwrap())).await.expect_page();
    assert!(page.contains("only an admin can replace it, or a reviewer if one approval is enough"), "{page}");
    assert!(!page.contains("name=\"replaces\""), "{page}");
    replace(&server.as_admin(), &media, &jpeg(2)).await.expect(200);
    // A draft that was never approved may change.
    let draft = creator.upload("b.png", &fixture::png(3)).await.expect(201);
    draft_with(&server, "Coffee", &draft).await;
    replace(&creator, &draft, &jpeg(4)).await.expect(200);
    // Of two reviewers none decides alone, not about an own file either.
    replace(&reviewer, &plate, &jpeg(6)).await.expect(200);
    let rule = json!({"workflow": "two_reviewers"});
    server.as_admin().patch("/api/v1/settings/review", &rule).await.expect(200);
    assert_eq!(replace(&reviewer, &plate, &jpeg(7)).await.refused(403), "reviewed");
    replace(&server.as_admin(), &plate, &jpeg(7)).await.expect(200);
}

async fn what_a_reviewer_has_approved_keeps_its_picture(server: TestServer) {
    let (creator, reviewer) = (server.as_creator(), server.as_reviewer());
    let workflow = json!({"workflow": "two_reviewers"});
    server.as_admin().patch("/api/v1/settings/review", &workflow).await.expect(200);
    let media = creator.upload("a.png", &fixture::png(1)).await.expect(201);
    let article = draft_with(&server, "Tea", &media).await;
    let path = |action: &str| format!("/api/v1/articles/{}{action}", article["id"].as_str().unwrap());
    let submitted = creator.post(&path("/submit"), &json!({"seen_revision": 1})).await.expect(200);
    replace(&creator, &media, &jpeg(2)).await.expect(200);
    let review = &submitted["review"];
    let approval = json!({"seen_revision": 1, "revision_hash": review["hash"]});
    let first = reviewer.post(&path("/approve"), &approval).await.expect(200);
    assert_eq!(first["review"]["state"], "submitted", "another one must approve it");
    assert_eq!(replace(&creator, &media, &jpeg(3)).await.refused(403), "reviewed");
    server.as_admin().post(&path("/approve"), &approval).await.expect(200);
    // A newer text is submitted. The approved one can still be scheduled.
    creator.patch(&path(""), &json!({"body": "No picture.", "seen_revision": 1})).await.expect(200);
    creator.post(&path("/submit"), &json!({"seen_revision": 2})).await.expect(200);
    assert_eq!(replace(&creator, &media, &jpeg(3)).await.refused(403), "reviewed");
    assert_eq!(creator.post(&format!("{}/put-back", own(&media)), &json!({})).await.refused(403), "reviewed");
}

async fn a_file_is_replaced_on_its_page_without_javascript(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let media = server.as_creator().upload("a.png", &fixture::png(1)).await.expect(201);
    let id = media["id"].as_str().unwrap();
    let page = format!("/media/{id}");
    let shown = browser.get(&page).await.expect_page();
    assert!(shown.contains("Replace the file") && !shown.contains("Put the earlier file back"), "{shown}");
    let fields = [("replaces", id), ("seen_version", "1"), ("from", page.as_str())];
    let refused = browser.upload_form(&fields, Some(("b.pdf", b"%PDF-1.4\n%%EOF\n"))).await;
    assert!(refused.status == 415 && refused.text.contains("must be of the same kind"), "{}", refused.text);
    let replaced = browser.upload_form(&fields, Some(("b.jpg", &jpeg(2)))).await;
    assert_eq!(replaced.result_location(), format!("{page}?done=replaced"), "{}", replaced.text);
    let shown = browser.get(replaced.header("location")).await.expect_page();
    assert!(shown.contains("The file is replaced.") && shown.contains("60 × 50"), "{shown}");
    assert!(shown.contains("Put the earlier file back"), "{shown}");
    let stale = browser.upload_form(&fields, Some(("b.jpg", &jpeg(3)))).await;
    assert_eq!(stale.status, 409, "{}", stale.text);
    let back = [("id", id), ("seen_version", "2"), ("from", page.as_str())];
    let back = browser.form("/fn/put_back_media", &back).await;
    assert_eq!(back.result_location(), format!("{page}?done=put_back"), "{}", back.text);
    assert!(browser.get(&page).await.expect_page().contains("40 × 30"));
}
