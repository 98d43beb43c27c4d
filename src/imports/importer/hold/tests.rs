//! Which files are held.

use super::*;
use crate::imports::importer::front_matter;

fn read(front: &str) -> Result<bool, usize> {
    let split = front_matter::split(front).map_err(|problem| problem.line)?;
    of_file(&split.values).map(|held| held.is_some()).map_err(|problem| problem.line)
}

fn yaml(line: &str) -> Result<bool, usize> {
    read(&format!("---\ntitle: A\n{line}\n---\nText"))
}

fn toml(line: &str) -> Result<bool, usize> {
    read(&format!("+++\ntitle = \"A\"\n{line}\n+++\nText"))
}

#[test]
fn flags_are_understood_in_all_spellings() {
    let yes = ["true", "True", "TRUE", "yes", "Yes", "on", "ON", "y", "1", "1.0", "t"];
    let no = ["false", "False", "FALSE", "no", "No", "off", "n", "N", "0", "f"];
    for (words, is_true) in [(yes.as_slice(), true), (no.as_slice(), false)] {
        for word in words {
            for text in [(*word).to_owned(), format!("\"{word}\""), format!("' {word} '")] {
                for key in
                    ["draft", "Draft", "DRAFT", "is_draft", "private", "unlisted", "hidden", "headless"]
                {
                    assert_eq!(yaml(&format!("{key}: {text}")), Ok(is_true), "{key}: {text}");
                }
                for key in ["published", "publish", "public"] {
                    assert_eq!(yaml(&format!("{key}: {text}")), Ok(!is_true), "{key}: {text}");
                }
            }
            assert_eq!(toml(&format!("draft = \"{word}\"")), Ok(is_true), "{word}");
            assert_eq!(toml(&format!("published = \"{word}\"")), Ok(!is_true), "{word}");
        }
    }
    assert_eq!(
        (toml("draft = true"), toml("draft = 1"), toml("draft = false")),
        (Ok(true), Ok(true), Ok(false))
    );
    assert_eq!(read("{\"draft\": \"yes\"}\nText"), Ok(true));
    assert_eq!(read("{\"draft\": true, \"draft\": false}\nText"), Ok(true));
}

#[test]
fn invalid_flags_are_refused_with_their_line() {
    for line in [
        "draft: maybe",
        "draft: 2",
        "draft: [true]",
        "draft: {a: 1}",
        "draft:",
        "draft: ~",
        "draft: \"\"",
        "published: soon",
        "published:",
        "private: friends",
        "build: 7",
        "build: {render: perhaps}",
        "status:",
    ] {
        assert_eq!(yaml(line), Err(3), "{line}");
    }
    assert_eq!(toml("draft = \"later\""), Err(3));
    assert_eq!(yaml("draft: true\nprivate: friends"), Err(4), "all are looked at");
}

#[test]
fn every_draft_marker_is_recognized() {
    for line in [
        "status: draft",
        "status: Private",
        "status: pending",
        "post_status: trash",
        "status: evergreen",
        "visibility: members",
        "password: secret",
        "build: {render: never}",
        "build: {list: never}",
        "_build: {render: false}",
        "build:\n  render: link",
        "permalink: false",
        "render: false",
        "unpublished: yes",
        "draft: false\nDraft: true",
        "published: true\nstatus: draft",
    ] {
        assert_eq!(yaml(line), Ok(true), "{line}");
    }
    assert_eq!(toml("[build]\nrender = \"never\""), Ok(true));
    for line in [
        "status: published",
        "published: 2027-03-01",
        "published: 20270301",
        "password: \"\"",
        "build: {render: always, list: local}",
        "permalink: /a/",
        "hide: [navigation, toc]",
        "tags: [draft]",
    ] {
        assert_eq!(yaml(line), Ok(false), "{line}");
    }
}

#[test]
fn a_draft_folder_includes_its_subfolders() {
    let folder =
        |front: &str| of_folder(&front_matter::split(front).unwrap().values).map(|held| held.is_some());
    for front in [
        "---\ndraft: true\n---\n",
        "---\ncascade:\n  draft: yes\n---\n",
        "---\ncascade:\n  - build:\n      render: never\n    target: {kind: page}\n---\n",
        "+++\n[cascade]\nprivate = \"true\"\n+++\n",
    ] {
        assert_eq!(folder(front), Ok(true), "{front}");
    }
    for front in
        ["---\ntitle: Blog\n---\n", "---\nbuild: {render: never}\n---\n", "+++\nrender = false\n+++\n"]
    {
        assert_eq!(folder(front), Ok(false), "{front}");
    }
}

#[test]
fn embargoes_readers_and_values_of_themes_are_recognized() {
    for line in [
        "embargo: 2027-03-01",
        "Embargo_Until: 2020-01-01 09:00",
        "embargo: until further notice",
        "embargo: true",
        "embargoed: yes",
        "email_only: 1",
        "members-only: true",
        "paywall: metered",
        "premium: yes",
        "confidential: true",
        "access: members",
        "audience: only_paid",
        "tiers: [free, Paid]",
        "state: draft",
        "type: private",
        "params:\n  access:\n    embargo: 2030-01-01",
        "extra: {members_only: yes}",
        "base: &b {draft: true}\n<<: *b",
        "pages: [{a: 1}, {paywall: hard}]",
    ] {
        assert_eq!(yaml(line), Ok(true), "{line}");
    }
    assert_eq!(toml("embargo = 2030-01-01"), Ok(true));
    for line in [
        "extra: {draft: true, hidden: true}",
        "params:\n  private: true",
        "cover: {gated: true}",
        "type: post",
        "audience: beginners",
        "access: public",
        "tiers: [free]",
        "members: [Ada, Ben]",
        "internal: false",
        "embargo: false",
        "embargo: \"\"",
        "embargo:",
        "email_only: no",
    ] {
        assert_eq!(yaml(line), Ok(false), "{line}");
    }
    assert_eq!(toml("[extra]\ndraft = true"), Ok(false));
}

#[test]
fn a_text_with_marks_of_ghost_for_some_readers_is_held() {
    assert!(of_text("Free.\n\n<!--members-only-->\n\nPaid.", 5).is_some_and(|held| held.line == 5));
    assert_eq!(of_text("Free. <!-- more -->", 1), None);
}
