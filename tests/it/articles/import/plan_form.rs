//! The page of the import of a plan, without JavaScript.

use crate::{
    http_client::{HttpClient, Reply},
    on_both,
    test_server::TestServer,
};
use reqwest::Method;

on_both!(
    a_pasted_table_is_checked_then_imported,
    a_file_is_kept_for_the_import,
    a_file_of_excel_is_read_and_its_letters_are_shown,
    what_was_typed_comes_back_with_the_reason,
);

/// Sends the form as a browser without JavaScript does. Returns the page.
async fn submit(browser: &HttpClient, fields: &[(&str, &str)], file: Option<&str>) -> String {
    submit_bytes(browser, fields, file.map(str::as_bytes)).await
}

async fn submit_bytes(browser: &HttpClient, fields: &[(&str, &str)], file: Option<&[u8]>) -> String {
    let mut body = String::new();
    for (name, value) in fields {
        body += &format!("--limit\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
    }
    let name = if file.is_some() { "plan.csv" } else { "" };
    body +=
        &format!("--limit\r\ncontent-disposition: form-data; name=\"table\"; filename=\"{name}\"\r\n\r\n");
    let body = [body.as_bytes(), file.unwrap_or_default(), b"\r\n--limit--\r\n"].concat();
    let request = browser
        .request(Method::POST, "/fn/import_plan")
        .header("content-type", "multipart/form-data; boundary=limit")
        .header("accept", "text/html")
        .header("origin", &browser.url)
        .header("sec-fetch-site", "same-origin");
    Reply::of(request.body(body)).await.text
}

/// Value of the hidden field with the hash of what was checked.
fn checked(page: &str) -> String {
    let field = page.split("name=\"checked\"").nth(1).expect("the table was checked");
    field.split("value=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default().to_owned()
}

async fn articles(server: &TestServer) -> usize {
    let found = server.as_creator().get("/api/v1/articles").await.expect(200);
    found["items"].as_array().unwrap().len()
}

async fn a_pasted_table_is_checked_then_imported(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    assert!(browser.get("/articles").await.expect_page().contains("href=\"/articles/import\""));
    let page = browser.get("/articles/import").await.expect_page();
    assert!(page.contains("multipart/form-data") && !page.contains("value=\"import\""), "{page}");
    let table = "title,time\r\n<b>Bold</b>,2027-06-09 09:00\r\nOld,2020-01-01 09:00\r\n";
    let fields = [("text", table), ("zone", "UTC"), ("what", "check")];
    let page = submit(&browser, &fields, None).await;
    assert!(page.contains("&lt;b>Bold") || page.contains("&lt;b&gt;Bold"), "{page}");
    assert!(page.contains("This time has passed") && page.contains("Import the others: 1"), "{page}");
    assert!(page.contains("value=\"import_others\""), "the button says what is left out: {page}");
    assert_eq!(articles(&server).await, 0, "nothing is written by a check");
    let hash = checked(&page);
    // Another table than the checked one is only checked.
    let other = format!("{table}New,\r\n");
    let fields =
        [("text", other.as_str()), ("zone", "UTC"), ("checked", hash.as_str()), ("what", "import_others")];
    let page = submit(&browser, &fields, None).await;
    assert!(page.contains("changed after the check") && page.contains("Import the others: 2"), "{page}");
    assert_eq!(articles(&server).await, 0);
    let hash = checked(&page);
    let fields = [("text", other.as_str()), ("zone", "UTC"), ("checked", hash.as_str()), ("what", "import")];
    let page = submit(&browser, &fields, None).await;
    assert!(page.contains("Nothing is saved yet"), "one row refuses the table: {page}");
    let fields =
        [("text", other.as_str()), ("zone", "UTC"), ("checked", hash.as_str()), ("what", "import_others")];
    let page = submit(&browser, &fields, None).await;
    assert!(page.contains("Imported. Scheduled: 1. Drafts: 1. Not imported: 1."), "{page}");
    assert!(page.contains("Undo: cancel these schedules"), "{page}");
    assert_eq!(articles(&server).await, 2);
    let id = page.split("name=\"id\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let undone = browser.form("/fn/undo_batch", &[("id", id), ("from", "/articles")]).await;
    assert_eq!(undone.status, 303, "{}", undone.text);
    let page = browser.get(undone.header("location")).await.expect_page();
    assert!(page.contains("1 item is as before."), "{page}");
}

async fn a_file_is_kept_for_the_import(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let fields = [("text", "title\r\nPasted\r\n"), ("zone", "UTC"), ("what", "check")];
    let file = "\u{feff}title\n\"From a\nfile\"\n\"Two\"\n";
    let page = submit(&browser, &fields, Some(&file.replace("From a\nfile", "From a file"))).await;
    assert!(page.contains("From a file") && !page.contains("Pasted"), "the file wins: {page}");
    let hash = checked(&page);
    let text = "title\r\n\"From a file\"\r\n\"Two\"\r\n";
    let fields = [("text", text), ("zone", "UTC"), ("checked", hash.as_str()), ("what", "import")];
    let page = submit(&browser, &fields, None).await;
    assert!(page.contains("Imported. Scheduled: 0. Drafts: 2."), "{page}");
    assert!(!page.contains("Undo: cancel"), "nothing was scheduled");
    assert_eq!(articles(&server).await, 2);
}

async fn a_file_of_excel_is_read_and_its_letters_are_shown(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let file = b"title\r\nCaf\xe9 \x84M\xfcller\x93\r\n";
    let fields = [("zone", "UTC"), ("encoding", ""), ("what", "check")];
    let page = submit_bytes(&browser, &fields, Some(file)).await;
    assert!(page.contains("read as: Western European") && page.contains("Café · „Müller“"), "{page}");
    assert!(page.contains("Import articles: 1"), "{page}");
    assert_eq!(articles(&server).await, 0, "a user confirms the letters first");
    // The page has the text; the encoding says nothing about it.
    let hash = checked(&page);
    let text = "title\r\nCafé „Müller“\r\n";
    let fields = [
        ("text", text),
        ("zone", "UTC"),
        ("encoding", "windows-1252"),
        ("checked", hash.as_str()),
        ("what", "import"),
    ];
    let page = submit(&browser, &fields, None).await;
    assert!(page.contains("Imported. Scheduled: 0. Drafts: 1."), "{page}");
    // Another encoding is chosen, and the file again; one in UTF-8 is never read as another one.
    let chosen = |encoding| [("zone", "UTC"), ("encoding", encoding), ("what", "check")];
    let page = submit_bytes(&browser, &chosen("windows-1250"), Some(b"title\r\n\xa3\xf3d\x9f\r\n")).await;
    assert!(page.contains("read as: Central European") && page.contains("Łódź"), "{page}");
    let page = submit(&browser, &chosen("windows-1252"), Some("title\r\nŁódź\r\n")).await;
    assert!(page.contains("Łódź") && !page.contains("The file is not UTF-8"), "{page}");
    let page = submit_bytes(&browser, &chosen(""), Some(b"PK\x03\x04\xff")).await;
    assert!(page.contains("CSV UTF-8") && !page.contains("Import articles"), "{page}");
}

async fn what_was_typed_comes_back_with_the_reason(server: TestServer) {
    let browser = server.log_in_browser(&server.creator).await;
    let page = submit(&browser, &[("what", "check")], None).await;
    assert!(page.contains("role=\"alert\"") && page.contains("must not be empty"), "{page}");
    let fields = [("text", "name\r\n</textarea><i>x\r\n"), ("zone", "Mars/Base"), ("what", "check")];
    let page = submit(&browser, &fields, None).await;
    assert!(page.contains("value=\"Mars/Base\"") && page.contains("is unknown"), "{page}");
    assert!(page.contains("&lt;/textarea&gt;&lt;i&gt;x"), "{page}");
    let fields = [("text", "name\r\nx\r\n"), ("zone", "UTC"), ("what", "check")];
    let page = submit(&browser, &fields, None).await;
    assert!(page.contains("The table has no column “title”"), "{page}");
    let reviewer = server.log_in_browser(&server.reviewer).await;
    let page =
        submit(&reviewer, &[("text", "title\r\nx\r\n"), ("zone", "UTC"), ("what", "check")], None).await;
    assert!(page.contains("Import articles: 1"), "everyone writes: {page}");
    let stranger = submit(&server.browser(), &[("text", "title\r\nx\r\n"), ("what", "check")], None).await;
    assert!(!stranger.contains("Import articles"), "{stranger}");
}
