//! A table of articles with their times: checked first, all or nothing, in any encoding.

use crate::{
    http_client::{HttpClient, Reply},
    on_both,
    test_server::TestServer,
};
use reqwest::Method;
use serde_json::{Value, json};

on_both!(
    a_table_becomes_drafts_and_scheduled_articles,
    rows_that_are_not_possible_refuse_the_table_or_are_skipped,
    a_table_is_read_in_any_encoding_and_a_formula_stays_text,
    texts_come_from_files_that_are_sent_along,
    what_scheduling_refuses_is_refused_here_too,
    rows_take_free_slots_and_free_slugs,
    one_key_imports_once_and_one_undo_cancels_all,
    tables_are_limited,
);

const HOUR: i64 = 3_600_000;

async fn send(client: &HttpClient, query: &str, table: impl Into<Vec<u8>>) -> Reply {
    let request = client.request(Method::POST, &format!("/api/v1/articles/import?zone=UTC{query}"));
    Reply::of(request.header("content-type", "text/csv").body(table.into())).await
}

async fn import(server: &TestServer, query: &str, table: impl Into<Vec<u8>>) -> Value {
    send(&server.as_creator(), query, table).await.expect(200)
}

/// Whether it was written, and the numbers of scheduled, draft and refused rows.
fn counts(report: &Value) -> (bool, [i64; 3]) {
    let count = |name: &str| report[name].as_i64().unwrap();
    (report["is_written"].as_bool().unwrap(), ["scheduled", "drafts", "refused"].map(count))
}

/// A value of each row; `-`: null.
fn each(report: &Value, name: &str) -> Vec<String> {
    let text = |row: &Value| row[name].as_str().unwrap_or("-").to_owned();
    report["rows"].as_array().unwrap().iter().map(text).collect()
}

fn warnings(row: &Value) -> Vec<&str> {
    row["warnings"].as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap()).collect()
}

/// Number of articles and of tasks.
async fn stored(server: &TestServer) -> (usize, usize) {
    let count = async |path: &str| {
        let page = server.as_creator().get(path).await.expect(200);
        page["items"].as_array().unwrap().len()
    };
    (count("/api/v1/articles?limit=200").await, count("/api/v1/tasks?limit=200").await)
}

async fn article(server: &TestServer, row: &Value) -> Value {
    let id = row["article_id"].as_str().expect("an article was written");
    server.as_creator().get(&format!("/api/v1/articles/{id}")).await.expect(200)
}

async fn a_table_becomes_drafts_and_scheduled_articles(server: TestServer) {
    let at = server.time_after(HOUR);
    let table = format!(
        "Tags;Title;Time;Zone;Body;Summary;Slug;Note\r\n\
         \"news; Rust, news\";First, of all;{at};;\"One\r\n\r\n\"\"two\"\"\";Short.;own-name;x\r\n\
         ;Second;2027-06-09 09:00;Asia/Kathmandu;Text;;;\r\n\
         ;Third;;;;;;\r\n"
    );
    let report = import(&server, "", table.clone()).await;
    assert_eq!(counts(&report), (false, [2, 1, 0]), "{report}");
    assert_eq!((stored(&server).await, &report["ignored"]), ((0, 0), &json!(["Note"])), "only checked");
    let report = import(&server, "&dry_run=false", table).await;
    assert_eq!(counts(&report), (true, [2, 1, 0]), "{report}");
    assert_eq!(each(&report, "outcome"), ["scheduled", "scheduled", "draft"]);
    let lines = [2, 5, 6].map(|line| json!(line));
    assert_eq!(
        report["rows"].as_array().unwrap().iter().map(|row| row["line"].clone()).collect::<Vec<_>>(),
        lines
    );
    let second = &report["rows"][1];
    assert_eq!(
        (&second["due_at"], &second["local"], &second["zone"]),
        (&json!("2027-06-09T03:15:00.000Z"), &json!("2027-06-09T09:00"), &json!("Asia/Kathmandu"))
    );
    assert_eq!(stored(&server).await, (3, 2));
    let first = article(&server, &report["rows"][0]).await;
    assert_eq!((&first["title"], &first["slug"]), (&json!("First, of all"), &json!("own-name")));
    assert_eq!((&first["body"], &first["state"]), (&json!("One\n\n\"two\""), &json!("approved")));
    assert_eq!(first["details"]["tags"], json!(["news", "Rust"]));
    assert_eq!(first["details"]["summary"], "Short.");
    let third = article(&server, &report["rows"][2]).await;
    assert_eq!((&third["state"], &third["revision"]), (&json!("draft"), &json!(1)));
    server.advance(HOUR).await;
    assert!(article(&server, &report["rows"][0]).await["published_at"].is_string(), "its time has come");
    let page = server.as_anonymous().get("/site/own-name").await;
    assert!(page.status == 200 && page.text.contains("two"), "{}", page.text);
    let found = server.as_creator().get("/api/v1/articles?q=Rust").await.expect(200);
    assert_eq!(found["items"].as_array().unwrap().len(), 1, "it is found by its tag");
    server.assert_execution_records_match().await;
}

/// One row that is possible, and 14 that are not.
fn bad_rows() -> String {
    let deep = ">".repeat(200);
    format!(
        "title,body,file,time,zone,tags,slug\n\
         Good,Text,,2027-06-09 09:00\n\
         ,Text\n\
         {long}\n\
         Past,,,2027-02-28 09:00\n\
         Skipped,,,2027-03-28 02:30,Europe/Berlin\n\
         Doubled,,,2027-10-31 02:30,Europe/Berlin\n\
         Two,,,6/9/2027 9:00\n\
         Words,,,tomorrow 9ish\n\
         Zone,,,2027-06-09 09:00,Mars/Base\n\
         Slot,,,next free slot\n\
         File,,gone.md\n\
         Both,Text,gone.md\n\
         Deep,{deep}\n\
         Tag,,,,,a/b\n\
         More,,,,,,,too many\n",
        long = "x".repeat(301)
    )
}

async fn rows_that_are_not_possible_refuse_the_table_or_are_skipped(server: TestServer) {
    let table = bad_rows();
    let report = import(&server, "&dry_run=false", table.clone()).await;
    assert_eq!(counts(&report), (false, [1, 0, 14]), "{report}");
    let expected = [
        "-",
        "invalid",
        "invalid",
        "past",
        "skipped_time",
        "doubled_time",
        "invalid",
        "invalid",
        "invalid",
        "no_such",
        "no_file",
        "body_and_file",
        "invalid",
        "invalid",
        "too_many_cells",
    ];
    assert_eq!(each(&report, "problem"), expected);
    let messages = each(&report, "message");
    for (place, part) in [
        (1, "The title must not be empty."),
        (2, "300 characters"),
        (3, "This time has passed."),
        (4, "does not exist in Europe/Berlin"),
        (5, "occurs twice in Europe/Berlin"),
        (6, "2027-06-09 09:00, 2027-09-06 09:00"),
        (7, "“ish”"),
        (8, "The time zone is unknown"),
        (9, "no free posting slot"),
        (10, "gone.md"),
        (12, "The body has quotes"),
    ] {
        assert!(messages[place].contains(part), "{}", messages[place]);
    }
    assert_eq!(stored(&server).await, (0, 0), "nothing was written");
    let report = import(&server, "&dry_run=false&on_problem=skip", table).await;
    assert_eq!((counts(&report), stored(&server).await), ((true, [1, 0, 14]), (1, 1)));
    let none = import(&server, "&dry_run=false&on_problem=skip", "title,time\nOld,2020-01-01 09:00\n").await;
    assert_eq!(counts(&none), (false, [0, 0, 1]), "nothing is left to import");
}

async fn a_table_is_read_in_any_encoding_and_a_formula_stays_text(server: TestServer) {
    let table = "\u{feff}title,tags\n=cmd|'/c calc'!A1,=1+1\n商业观察 😀,新闻\n";
    let le: Vec<u8> = table.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let be: Vec<u8> = table.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for bytes in [table.as_bytes().to_vec(), le, be] {
        let report = import(&server, "", bytes).await;
        assert_eq!(each(&report, "title"), ["=cmd|'/c calc'!A1", "商业观察 😀"], "{report}");
        assert_eq!(counts(&report), (false, [0, 2, 0]));
    }
    let report = import(&server, "&dry_run=false", table).await;
    let formula = article(&server, &report["rows"][0]).await;
    assert_eq!(
        (&formula["title"], &formula["details"]["tags"]),
        (&json!("=cmd|'/c calc'!A1"), &json!(["=1+1"]))
    );
    let browser = server.log_in_browser(&server.creator).await;
    let export = browser.get("/export/articles.csv").await.text;
    assert!(export.contains("'=cmd"), "no formula in an export: {export}");
    for bytes in [&b"title\ncaf\xe9\n"[..], b"\xff\xfet\x00i", b"PK\x03\x04\x14\x00\x06\x00\xff"] {
        let refused = send(&server.as_creator(), "", bytes).await.expect(422);
        assert_eq!(refused["error"]["field"], "table", "{refused}");
        assert!(refused.to_string().contains("CSV UTF-8"), "it says how to save it: {refused}");
    }
    for (encoding, bytes, title) in [
        ("windows-1252", &b"title;tags\r\nCaf\xe9 \x84M\xfcller\x93;\r\n"[..], "Café „Müller“"),
        ("gb18030", &b"\xb1\xea\xcc\xe2\n\xd6\xd0\xce\xc4\n"[..], "中文"),
        ("windows-1252", "title\nŁódź\n".as_bytes(), "Łódź"),
    ] {
        let report = import(&server, &format!("&encoding={encoding}"), bytes).await;
        assert_eq!(each(&report, "title"), [title], "{report}");
    }
    for (encoding, field) in [("windows-1252", "table"), ("latin9", "encoding")] {
        let query = format!("&encoding={encoding}");
        let refused =
            send(&server.as_creator(), &query, b"title\nPK\x03\x04\xff\n".to_vec()).await.expect(422);
        assert_eq!(refused["error"]["field"], field, "{refused}");
    }
}

/// A form with a table and files.
fn form(table: &str, files: &[(&str, &str)]) -> String {
    let mut body = format!(
        "--edge\r\ncontent-disposition: form-data; name=\"table\"; filename=\"plan.csv\"\r\n\r\n{table}\r\n"
    );
    for (name, text) in files {
        body += &format!(
            "--edge\r\ncontent-disposition: form-data; name=\"files\"; filename=\"{name}\"\r\n\r\n{text}\r\n"
        );
    }
    body + "--edge--\r\n"
}

async fn texts_come_from_files_that_are_sent_along(server: TestServer) {
    let table = "title,file\nOne,posts/one.md\nTwo,two.md\nThree,three.md\n";
    let body = form(table, &[("one.md", "# First"), ("two.md", "\u{feff}Second")]);
    let client = server.as_creator();
    let request = client.request(Method::POST, "/api/v1/articles/import?dry_run=false&on_problem=skip");
    let request = request.header("content-type", "multipart/form-data; boundary=edge").body(body);
    let report = Reply::of(request).await.expect(200);
    assert_eq!(each(&report, "problem"), ["-", "-", "no_file"], "{report}");
    assert_eq!(article(&server, &report["rows"][0]).await["body"], "# First");
    assert_eq!(article(&server, &report["rows"][1]).await["body"], "Second");
}

async fn what_scheduling_refuses_is_refused_here_too(server: TestServer) {
    let admin = server.as_admin();
    let set = async |settings: Value| admin.patch("/api/v1/settings/review", &settings).await.expect(200);
    let table = "title,body,time,summary\n\
                 Clean,Text,2027-06-09 09:00,Short.\n\
                 Marked,Text TK,2027-06-09 10:00,Short.\n\
                 Blocked,A casino.,2027-06-09 11:00,Short.\n\
                 Court,A lawsuit.,2027-06-09 12:00,Short.\n\
                 Draft,A casino TK.,,\n";
    set(json!({"workflow": "none", "checklist": {"summary": "require", "marks": "require"}})).await;
    assert_eq!(each(&import(&server, "", table).await, "problem"), ["-", "checklist", "-", "-", "-"]);
    for (action, term) in [("block", "casino"), ("needs_approval", "lawsuit")] {
        let list = json!({"name": action, "language": "any", "action": action, "terms": [term]});
        admin.post("/api/v1/word-lists", &list).await.expect(201);
    }
    set(json!({"workflow": "automatic"})).await;
    let report = import(&server, "&dry_run=false&on_problem=skip", table).await;
    assert_eq!(each(&report, "problem"), ["-", "checklist", "blocked_words", "-", "-"], "{report}");
    assert!(each(&report, "message")[2].contains("casino"));
    assert_eq!(warnings(&report["rows"][0]), [""; 0]);
    assert_eq!(warnings(&report["rows"][3]), ["needs_approval"]);
    let state =
        async |place: usize| article(&server, &report["rows"][place]).await["review"]["state"].clone();
    assert_eq!((state(0).await, state(3).await), (json!("approved"), json!("submitted")));
}

async fn rows_take_free_slots_and_free_slugs(server: TestServer) {
    let days: Vec<Value> = (0..7).map(|_| json!({"times": ["12:00", "16:00"]})).collect();
    let plan = json!({"seen_version": 0, "zone": "UTC", "days": days, "holidays": []});
    server.as_admin().put("/api/v1/slots", &plan).await.expect(200);
    server.create_draft("Same").await;
    let table = "title,time,slug,body\n\
                 Same,next free slot,,x\n\
                 Same,next free slot,,x\n\
                 Fixed,2027-03-01 16:00,same,x\n\
                 Late,2027-03-01T16:00:00Z,,\n";
    let dry = import(&server, "", table).await;
    let report = import(&server, "&dry_run=false", table).await;
    assert_eq!(each(&dry, "due_at"), each(&report, "due_at"), "a check says the same");
    let due = ["2027-03-01T12:00:00.000Z", "2027-03-02T12:00:00.000Z", "2027-03-01T16:00:00.000Z"];
    assert_eq!(each(&report, "due_at")[..3], due, "{report}");
    assert_eq!(each(&report, "slug"), ["same-2", "same-3", "same-4", "late"]);
    assert_eq!(warnings(&report["rows"][0]), ["same_title"]);
    assert_eq!(warnings(&report["rows"][1]), ["title_twice", "same_title"]);
    assert_eq!(warnings(&report["rows"][2]), ["other_slug", "moment_taken"]);
    assert_eq!(warnings(&report["rows"][3]), ["no_text", "moment_taken"]);
    let again = import(&server, "&dry_run=false", "title,time\nNext,next free slot\n").await;
    assert_eq!(each(&again, "due_at"), ["2027-03-02T16:00:00.000Z"], "the others are taken");
}

async fn one_key_imports_once_and_one_undo_cancels_all(server: TestServer) {
    let many: String = (0..1_200).map(|number| format!("Many {number},2027-06-09 09:00,Tag\n")).collect();
    let table = format!("title,time,tags\n{many}Bad,2020-01-01 09:00,\nDraft,,\n");
    let client = server.as_creator();
    let keyed = async |query: &str, table: String| {
        let request = client.request(Method::POST, &format!("/api/v1/articles/import?zone=UTC{query}"));
        Reply::of(request.header("idempotency-key", "plan").body(table)).await
    };
    let first = keyed("&dry_run=false&on_problem=skip", table.clone()).await.expect(200);
    let second = keyed("&dry_run=false&on_problem=skip", table.clone()).await.expect(200);
    assert_eq!(counts(&first), (true, [1_200, 1, 1]));
    for name in ["article_id", "slug", "due_at", "outcome"] {
        assert_eq!(each(&first, name), each(&second, name), "{name}");
    }
    assert_eq!(first["batch_id"], second["batch_id"]);
    let other = keyed("&dry_run=false&on_problem=refuse", table).await;
    assert_eq!(other.refused(422), "key_reused");
    let task = server.as_creator().get("/api/v1/tasks?limit=1").await.expect(200)["items"][0].clone();
    let owner = server.as_creator().get("/api/v1/articles?limit=1").await.expect(200)["items"][0].clone();
    let path = format!("/api/v1/articles/{}", owner["id"].as_str().unwrap());
    assert_eq!(server.as_colleague().delete(&path).await.refused(403), "not_allowed", "it is not theirs");
    let undo = format!("/api/v1/batches/{}/undo", first["batch_id"].as_str().unwrap());
    assert_eq!(server.as_colleague().post(&undo, &json!({})).await.refused(403), "not_allowed");
    let undone = server.as_creator().post(&undo, &json!({})).await.expect(200);
    assert_eq!((&undone["changed"], &undone["refused"]), (&json!(1_200), &json!([])), "{undone}");
    assert_eq!(server.task(&task).await["state"], "cancelled");
    assert_eq!(article(&server, &first["rows"][0]).await["title"], "Many 0", "the articles stay");
    assert_eq!(server.as_creator().post(&undo, &json!({})).await.refused(409), "cannot_undo");
    server.assert_execution_records_match().await;
}

async fn tables_are_limited(server: TestServer) {
    let creator = server.as_creator();
    let rows = format!("title\n{}", "x\n".repeat(10_001));
    let large = format!("title,body\nx,\"{}\"\n", "y".repeat(10 * 1024 * 1024));
    let text = format!("title,body\nx,{}\n", "y".repeat(500_001));
    for (table, part) in [
        (rows, "more than 10000"),
        (large, "larger than"),
        (String::new(), "must not be empty"),
        ("name\nx\n".to_owned(), "no column “title”"),
        ("title\n".to_owned(), "no rows"),
        ("title,Title\nx,y\n".to_owned(), "two columns"),
        ("title\nx\n\"y\nz\n".to_owned(), "row that begins on line 3"),
    ] {
        let refused = send(&creator, "", table).await.expect(422);
        let message = refused["error"]["message"].as_str().unwrap();
        assert!(message.contains(part), "{message}");
    }
    assert_eq!(each(&import(&server, "", text).await, "problem"), ["invalid"], "a text is limited, too");
    for query in ["&on_problem=maybe", "&zone=Mars", "&more=1"] {
        let status = send(&creator, query, "title\nx\n").await.status;
        assert!(matches!(status, 400 | 422), "{query}: {status}");
    }
    assert_eq!(send(&server.as_anonymous(), "", "title\nx\n").await.status, 401);
}
