//! The pages of the library, as a browser without JavaScript sees them.

use super::{draft_with, fixture, path_of, schedule};
use crate::{on_both, test_server::TestServer};

on_both!(a_picture_is_uploaded_described_and_deleted_without_javascript);

async fn a_picture_is_uploaded_described_and_deleted_without_javascript(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let page = browser.get("/media").await.expect_page();
    assert!(page.contains("No files yet.") && page.contains("multipart/form-data"), "{page}");
    // A refused upload comes back with its sentence and what was typed.
    let fields = [("alt", "A cup & a pot"), ("from", "/media")];
    let refused = browser.upload_form(&fields, Some(("a.png", b"PK\x03\x04"))).await;
    assert_eq!(refused.status, 415, "{}", refused.text);
    assert!(
        refused.text.contains("This is not a PNG") && refused.text.contains("A cup &amp; a pot"),
        "{}",
        refused.text
    );
    let refused = browser.upload_form(&fields, None).await;
    assert!(refused.status == 422 && refused.text.contains("Choose a file first"), "{}", refused.text);
    let stored = browser.upload_form(&fields, Some(("t\u{e9}a <b>.png", &fixture::png(1)))).await;
    assert_eq!(stored.status, 303, "{}", stored.text);
    let file = stored.header("location").to_owned();
    let page = browser.get(&file).await.expect_page();
    for part in ["The file is stored.", "t\u{e9}a &lt;b&gt;.png", "![A cup", "No article uses it."] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let id = file.trim_start_matches("/media/").split('?').next().unwrap().to_owned();
    let own = format!("/media/{id}");
    let too_long = "x".repeat(501);
    let edit = [("id", id.as_str()), ("alt", &too_long), ("seen_version", "1"), ("from", &own)];
    let refused = browser.form("/fn/edit_media", &edit).await;
    assert!(refused.status == 422 && refused.text.contains(&too_long), "{}", refused.status);
    let edit = [("id", id.as_str()), ("alt", "A pot"), ("seen_version", "1"), ("from", &own)];
    assert_eq!(browser.form("/fn/edit_media", &edit).await.result_location(), format!("{own}?done=alt"));
    let list = browser.get("/media").await.expect_page();
    assert!(list.contains("alt=\"A pot\"") && list.contains("Not used"), "{list}");
    assert!(browser.get("/media?q=none").await.expect_page().contains("No files found."));
    // In use: the page says where, and the deletion is refused.
    let media = server.as_creator().get(&format!("/api/v1/media/{id}")).await.expect(200);
    let article = draft_with(&server, "Tea time", &media).await;
    let task = schedule(&server, "article.publish", &article, 60_000).await;
    let page = browser.get(&own).await.expect_page();
    assert!(page.contains("Tea time") && page.contains("It cannot be deleted"), "{page}");
    assert!(page.contains(&format!("value=\"{}\"", path_of(&media))), "its address, to copy: {page}");
    let delete = [("id", id.as_str()), ("from", &own)];
    let refused = browser.form("/fn/delete_media", &delete).await;
    assert!(refused.status == 409 && refused.text.contains("Remove it there first"), "{}", refused.text);
    let cancel = format!("/api/v1/tasks/{}/cancel", task["id"].as_str().unwrap());
    server.as_creator().post(&cancel, &serde_json::json!({"seen_version": 1})).await.expect(200);
    let deleted = browser.form("/fn/delete_media", &delete).await;
    assert_eq!(deleted.result_location(), "/media?done=deleted", "{}", deleted.text);
    assert!(browser.get(deleted.header("location")).await.expect_page().contains("The file is deleted."));
    assert_eq!(browser.get(&own).await.status, 404);
    let page = browser.get(&format!("/articles/{}", article["id"].as_str().unwrap())).await.expect_page();
    assert!(page.contains("Insert a picture"), "{page}");
    assert!(page.contains("Choose from the media library"), "for the cover: {page}");
}
