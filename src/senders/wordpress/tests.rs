//! What is read from the answers of a site.

use super::*;

#[test]
fn an_address_with_control_characters_is_not_stored() {
    let id = "00000000-0000-7000-8000-000000000001";
    let post: PostBody = serde_json::from_value(json!({"id": id, "purpose": "publish"})).unwrap();
    for (link, url) in [
        ("https://a.example/b", Some("https://a.example/b")),
        ("https://a.example/\0", None),
        ("javascript:alert(1)", None),
    ] {
        let remote: RemotePost =
            serde_json::from_value(json!({"id": 1, "status": "publish", "link": link})).unwrap();
        let result = published(&post, &remote);
        assert_eq!(result.post.and_then(|report| report.url).as_deref(), url, "{link:?}");
        assert!(result.text.is_some_and(|text| !text.contains('\0') && !text.contains("alert")));
    }
}

#[test]
fn a_user_without_rights_has_an_empty_list() {
    for (json, may_publish) in [
        (r#"{"name":"A","capabilities":[]}"#, None),
        (r#"{"name":"A","capabilities":{"publish_posts":true}}"#, Some(true)),
    ] {
        let user: User = serde_json::from_str(json).unwrap();
        assert_eq!(user.capabilities.get("publish_posts").and_then(Value::as_bool), may_publish, "{json}");
    }
}
