//! What is true of every operation, added to the document in one place: its unique name, the ways a request can be refused, and
//! which operations its answer leads to.

use super::BASE;
use std::collections::BTreeMap;
use utoipa::openapi::{
    Content, OpenApi, Ref, RefOr, ResponseBuilder,
    link::Link,
    path::{Operation, PathItem},
};

/// Refusals of any operation that needs a token.
const ALWAYS: [(&str, &str); 6] = [
    ("400", "The request cannot be read"),
    ("401", "There is no token, or it is not good any more"),
    ("403", "The token may only read, or its owner may not do this"),
    ("431", "The headers are too large"),
    ("500", "Something broke; the log has more under the reference"),
    ("503", "The database cannot be reached; nothing was changed"),
];
/// And of those that read a body.
const WITH_BODY: [(&str, &str); 4] = [
    ("408", "The body did not come in time"),
    ("413", "The body is too large"),
    ("415", "The body is not `application/json`"),
    ("422", "A field is wrong"),
];

/// Answers that lead on: path, method and status of what answers, where its answer holds an identity, and the path it leads to.
const LINKS: [(&str, &str, &str, &str, &str); 7] = [
    ("/articles", "post", "201", "$response.body#/id", "/articles/{id}"),
    ("/articles", "get", "200", "$response.body#/items/0/id", "/articles/{id}"),
    ("/tasks", "post", "201", "$response.body#/id", "/tasks/{id}"),
    ("/tasks", "get", "200", "$response.body#/items/0/id", "/tasks/{id}"),
    ("/channels", "post", "201", "$response.body#/id", "/channels/{id}"),
    ("/channels", "get", "200", "$response.body#/items/0/id", "/channels/{id}"),
    ("/channels/{id}/test", "post", "202", "$response.body#/id", "/deliveries/{id}"),
];

/// Completes the document; its paths begin with [`BASE`].
pub(super) fn complete(document: &mut OpenApi) {
    for (path, item) in &mut document.paths.paths {
        let path = path.strip_prefix(BASE).unwrap_or(path);
        for (_, operation) in operations(item) {
            operation.operation_id = operation.operation_id.take().map(|name| unique(path, &name));
            refuse(operation);
        }
    }
    let names = names(document);
    for (from, method, status, place, to) in LINKS {
        let Some(item) = document.paths.paths.get_mut(&format!("{BASE}{from}")) else { continue };
        let found = operations(item).into_iter().find(|(known, _)| *known == method);
        let answer = found.and_then(|(_, operation)| operation.responses.responses.get_mut(status));
        if let Some(RefOr::T(answer)) = answer {
            for name in names.get(to).into_iter().flatten() {
                let link = Link::builder().operation_id(name.as_str()).parameter("id", place).build();
                answer.links.insert(name.clone(), link.into());
            }
        }
    }
}

fn operations(item: &mut PathItem) -> Vec<(&'static str, &mut Operation)> {
    let all = [
        ("get", &mut item.get),
        ("post", &mut item.post),
        ("patch", &mut item.patch),
        ("delete", &mut item.delete),
    ];
    all.into_iter().filter_map(|(method, operation)| Some((method, operation.as_mut()?))).collect()
}

/// `articles_list`, `tasks_publish_now`: the path, and what is done there unless the path says so itself.
fn unique(path: &str, name: &str) -> String {
    let words = path.split('/').filter(|word| !word.is_empty() && !word.starts_with('{'));
    let mut words: Vec<String> = words.map(|word| word.replace(['-', '.'], "_")).collect();
    if words.last().is_none_or(|last| last != name) {
        words.push(name.to_owned());
    }
    words.join("_")
}

/// Names the ways a request can be refused that its own description does not name. What needs no token is not refused.
fn refuse(operation: &mut Operation) {
    if operation.security.is_some() {
        return;
    }
    let reads_body = operation.request_body.is_some();
    let has_query = operation.parameters.as_ref().is_some_and(|parameters| !parameters.is_empty());
    let more = match (reads_body, has_query) {
        (true, _) => &WITH_BODY[..],
        (false, true) => &WITH_BODY[3..],
        (false, false) => &[],
    };
    for (status, why) in ALWAYS.iter().chain(more) {
        let answer = || {
            let body = Content::new(Some(Ref::from_schema_name("ErrorBody")));
            ResponseBuilder::new().description(*why).content("application/json", body).build().into()
        };
        operation.responses.responses.entry((*status).to_owned()).or_insert_with(answer);
    }
}

/// The operations on one thing, by the path of the thing.
fn names(document: &OpenApi) -> BTreeMap<&'static str, Vec<String>> {
    let mut names: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
    for (path, item) in &document.paths.paths {
        let path = path.strip_prefix(BASE).unwrap_or(path);
        let targets = LINKS.iter().map(|link| link.4);
        let Some(target) = targets.into_iter().find(|target| path.starts_with(target)) else { continue };
        let all = [&item.get, &item.post, &item.patch, &item.delete];
        let found = all.into_iter().flatten().filter_map(|operation| operation.operation_id.clone());
        names.entry(target).or_default().extend(found);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::super::document;
    use serde_json::Value;
    use std::collections::HashSet;

    #[test]
    fn every_operation_has_a_name_of_its_own_and_says_how_it_refuses() {
        let document = serde_json::to_value(document()).unwrap();
        let mut names = HashSet::new();
        let mut links = Vec::new();
        for (path, item) in document["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap() {
                let name = operation["operationId"].as_str().unwrap();
                assert!(names.insert(name.to_owned()), "{method} {path}: {name} is used twice");
                let answers = operation["responses"].as_object().unwrap();
                let needs_token = !path.ends_with("openapi.json");
                assert_eq!(answers.contains_key("401"), needs_token, "{method} {path}");
                assert_eq!(
                    answers.contains_key("415"),
                    operation.get("requestBody").is_some(),
                    "{method} {path}"
                );
                let linked = answers.values().filter_map(|answer| answer["links"].as_object());
                links.extend(linked.flat_map(|links| links.values().cloned().collect::<Vec<Value>>()));
            }
        }
        assert!(links.len() > 20, "{}", links.len());
        for link in links {
            assert!(names.contains(link["operationId"].as_str().unwrap()), "{link}");
        }
    }
}
