//! Imports and exports by the built program: what it prints, and its exit code.

use crate::program::Program;
use std::fs;

#[tokio::test]
async fn an_import_prints_a_summary_and_fails_if_a_file_was_refused() {
    let program = Program::new();
    let posts = program.folder().join("posts");
    fs::create_dir_all(&posts).expect("a folder");
    fs::write(posts.join("good.md"), "# Good\n").expect("a file");
    let path = posts.display().to_string();
    let early = program.run(&["import", "markdown", &path]).await;
    assert_eq!(early.code, 1);
    assert!(early.err.contains("no admin yet"), "{}", early.err);
    let add = ["user", "add", "--email", "a@desk.test", "--name", "A", "--role", "admin", "--password-stdin"];
    assert_eq!(program.run_with(&add, &[], "a good long word").await.code, 0);
    let first = program.run(&["import", "markdown", &path]).await;
    assert_eq!(
        (first.code, first.out.trim()),
        (0, "1 created, 0 updated, 0 unchanged, 0 published, 0 scheduled, 0 refused")
    );
    // A dry run writes nothing. Pictures beside the files come along, unless they are not wanted.
    let red = image::RgbImage::from_pixel(8, 8, image::Rgb([200, 0, 0]));
    red.save(posts.join("red.png")).expect("a picture");
    fs::write(posts.join("red.md"), "# Red\n\n![Red](red.png)\n").expect("a file");
    let dry = program.run(&["import", "markdown", &path, "--dry-run", "--drafts"]).await;
    assert!(dry.out.starts_with("nothing was changed") && dry.out.contains("1 created"), "{}", dry.out);
    let shown = program.run(&["import", "markdown", &path]).await;
    assert!(shown.out.starts_with("1 created, 0 updated, 1 unchanged"), "{}", shown.out);
    assert!(shown.out.contains("1 picture"), "{}", shown.out);
    let again = program.run(&["import", "markdown", &path]).await;
    assert!(again.out.starts_with("0 created, 0 updated, 2 unchanged"), "{}", again.out);
    fs::remove_file(posts.join("red.md")).expect("removed");
    fs::write(posts.join("bad\u{1b}[31m.md"), "+++\ntitle = \n+++\n").expect("a file");
    let second = program.run(&["import", "markdown", &path]).await;
    assert_eq!(second.code, 1);
    assert!(second.err.contains(".md:2: the front matter is not TOML"), "{}", second.err);
    assert!(second.out.starts_with("0 created, 0 updated, 1 unchanged"), "{}", second.out);
    second.is_plain();
    assert!(second.err.contains("1 file was rejected; all others were imported"), "{}", second.err);
    let dry = program.run(&["import", "markdown", &path, "--dry-run"]).await;
    assert!(dry.code == 1 && dry.err.contains("1 file would be rejected"), "{}", dry.err);
}

#[tokio::test]
async fn posts_are_imported_and_exported_with_a_summary() {
    let program = Program::new();
    let add = ["user", "add", "--email", "a@desk.test", "--name", "A", "--role", "admin", "--password-stdin"];
    assert_eq!(program.run_with(&add, &[], "a good long word").await.code, 0);
    let file = program.folder().join("ghost.json");
    let post = "{\"id\": \"a\", \"title\": \"One\", \"slug\": \"one\", \"html\": \"<p>Text</p>\", \"status\": \"published\",
                 \"published_at\": \"2020-01-01T00:00:00.000Z\"}";
    let text =
        format!("{{\"db\": [{{\"meta\": {{\"version\": \"5.1.0\"}}, \"data\": {{\"posts\": [{post}]}}}}]}}");
    fs::write(&file, text).expect("a file");
    let path = file.display().to_string();
    let dry = program.run(&["import", "ghost", &path, "--dry-run"]).await;
    assert!(
        dry.code == 0 && dry.out.contains("nothing was changed") && dry.out.contains("1 created"),
        "{}",
        dry.out
    );
    let real = program.run(&["import", "ghost", &path]).await;
    assert!(
        real.code == 0 && real.out.starts_with("1 created") && real.out.contains("1 published"),
        "{}",
        real.out
    );
    let wrong = program.run(&["import", "wordpress", &path]).await;
    assert!(wrong.code == 1 && wrong.err.contains("before it is complete"), "{}", wrong.err);
    for (what, name, sentence) in
        [(None, "desk", "1 articles, 0 other revisions"), (Some("site"), "site", "0 redirects")]
    {
        let folder = program.folder().join(name).display().to_string();
        let arguments: Vec<&str> = ["export"].into_iter().chain(what).chain([folder.as_str()]).collect();
        let written = program.run(&arguments).await;
        assert!(written.code == 0 && written.out.contains(sentence), "{}{}", written.out, written.err);
        assert_eq!(program.run(&arguments).await.code, 1, "the folder is not empty");
    }
}

#[tokio::test]
async fn a_plan_is_imported_with_the_files_of_its_folder() {
    let program = Program::new();
    let add = ["user", "add", "--email", "a@desk.test", "--name", "A", "--role", "admin", "--password-stdin"];
    assert_eq!(program.run_with(&add, &[], "a good long word").await.code, 0);
    let folder = program.folder().join("plan");
    fs::create_dir_all(folder.join("posts")).expect("a folder");
    fs::write(folder.join("posts/one.md"), "# First\n").expect("a file");
    fs::write(program.folder().join("secret.md"), "secret").expect("a file");
    let table =
        "title,file,time\nOne,posts/one.md,2099-06-09 09:00\nTwo,../secret.md,\nThree,,2020-01-01 09:00\n";
    let file = folder.join("plan.csv");
    fs::write(&file, table).expect("a file");
    let path = file.display().to_string();
    let dry = program.run(&["import", "plan", &path, "--zone", "Europe/Berlin", "--dry-run"]).await;
    assert_eq!(dry.code, 1);
    assert!(dry.out.contains("line 2: One: 2099-06-09 09:00 Europe/Berlin"), "{}", dry.out);
    assert!(dry.err.contains("line 3: Two: The file ../secret.md is missing."), "{}", dry.err);
    assert!(dry.err.contains("line 4: Three: This time has passed."), "{}", dry.err);
    let all = program.run(&["import", "plan", &path]).await;
    assert!(all.code == 1 && all.out.contains("nothing was imported"), "{}", all.out);
    let some = program.run(&["import", "plan", &path, "--skip"]).await;
    assert!(some.code == 1 && some.out.contains("imported: 1 scheduled, 0 drafts"), "{}", some.out);
    some.is_plain();
    let gone = program.run(&["import", "plan", "no-such-table.csv"]).await;
    assert!(gone.code == 1 && gone.err.contains("no-such-table.csv"), "{}", gone.err);
    gone.is_plain();
}
