//! Completes the OpenAPI document: a unique id and the common error responses of every operation,
//! limits and patterns of requests, and links between operations.

mod channel;
pub mod idempotency;
mod limits;
mod links;
mod meetings;
mod message;
mod patterns;
mod reminder;
mod rule;
mod times;

use crate::http::api::BASE;
use serde_json::Value;
use utoipa::openapi::{
    Content, OpenApi, Ref, ResponseBuilder,
    path::{Operation, PathItem},
};

/// Error responses of every operation that requires a token.
const COMMON_ERRORS: [(&str, &str); 6] = [
    ("400", "The request cannot be read"),
    ("401", "No token, or the token is not valid"),
    ("403", "The token is read-only, or its owner lacks the permission"),
    ("431", "The headers are too large"),
    ("500", "Internal error; the log has details under the reference"),
    ("503", "The database is unavailable; nothing was changed"),
];
/// Error responses of operations with a body.
const BODY_ERRORS: [(&str, &str); 4] = [
    ("408", "The body was not received in time"),
    ("413", "The body is too large"),
    ("415", "The body is not `application/json`"),
    ("422", "A field is invalid"),
];

/// Completes the document, whose paths begin with [`BASE`], and returns it as JSON.
pub fn complete(mut document: OpenApi) -> Value {
    complete_operations(&mut document);
    let mut document = serde_json::to_value(document).unwrap_or_default();
    idempotency::write(&mut document);
    limits::write(&mut document);
    links::write(&mut document);
    document
}

fn complete_operations(document: &mut OpenApi) {
    for (path, item) in &mut document.paths.paths {
        let path = path.strip_prefix(BASE).unwrap_or(path);
        for operation in operations(item) {
            operation.operation_id = operation.operation_id.take().map(|name| operation_id(path, &name));
            add_errors(operation);
        }
    }
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete].into_iter().flatten()
}

/// Returns a unique operation id, e.g. `articles_list` or `tasks_publish_now`: the path, and the
/// handler's name unless the path ends with it.
fn operation_id(path: &str, name: &str) -> String {
    let words = path.split('/').filter(|word| !word.is_empty() && !word.starts_with('{'));
    let mut words: Vec<String> = words.map(|word| word.replace(['-', '.'], "_")).collect();
    if words.last().is_none_or(|last| last != name) {
        words.push(name.to_owned());
    }
    words.join("_")
}

/// Adds the common error responses that the operation does not describe itself. Skips operations
/// without a token.
fn add_errors(operation: &mut Operation) {
    if operation.security.is_some() {
        return;
    }
    let reads_body = operation.request_body.is_some();
    let has_query = operation.parameters.as_ref().is_some_and(|parameters| !parameters.is_empty());
    let more = match (reads_body, has_query) {
        (true, _) => &BODY_ERRORS[..],
        (false, true) => &BODY_ERRORS[3..],
        (false, false) => &[],
    };
    for (status, why) in COMMON_ERRORS.iter().chain(more) {
        let answer = || {
            let body = Content::new(Some(Ref::from_schema_name("ErrorBody")));
            ResponseBuilder::new().description(*why).content("application/json", body).build().into()
        };
        operation.responses.responses.entry((*status).to_owned()).or_insert_with(answer);
    }
}

#[cfg(test)]
mod tests {
    use crate::server::api::document;
    use serde_json::Value;
    use std::{
        collections::{HashMap, HashSet},
        fs,
        path::Path,
    };

    /// Names of the types with a schema in the source files of a folder, each with its file.
    fn schema_names(folder: &Path, names: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                schema_names(&path, names);
                continue;
            }
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let mut is_schema = false;
            for line in text.lines().map(str::trim_start) {
                is_schema |= line.starts_with("#[derive(") && line.contains("ToSchema");
                let line = line.strip_prefix("pub ").unwrap_or(line);
                let name = line.strip_prefix("struct ").or_else(|| line.strip_prefix("enum "));
                if let (Some(name), true) = (name, is_schema) {
                    let end = name.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(name.len());
                    names.push((name[..end].to_owned(), path.display().to_string()));
                    is_schema = false;
                }
            }
        }
    }

    /// Two types of one name would share one schema, and one of them would be described wrongly.
    #[test]
    fn no_two_types_share_the_name_of_a_schema() {
        let mut names = Vec::new();
        schema_names(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut names);
        assert!(names.len() > 200, "{}", names.len());
        let mut files: HashMap<String, String> = HashMap::new();
        for (name, file) in names {
            if let Some(other) = files.insert(name.clone(), file.clone()) {
                panic!("{name} is in {file} and in {other}");
            }
        }
    }

    #[test]
    fn the_imports_are_described_by_their_own_schemas() {
        let schemas = &document()["components"]["schemas"];
        for (name, field) in [
            ("ImportBody", "system"),
            ("ImportItemBody", "why"),
            ("MeetingImportBody", "is_written"),
            ("MeetingImportItemBody", "outcome"),
        ] {
            assert!(schemas[name]["properties"][field].is_object(), "{name}");
        }
        let answer = &document()["paths"]["/api/v1/meetings/import"]["post"]["responses"]["200"];
        let schema = &answer["content"]["application/json"]["schema"]["$ref"];
        assert_eq!(schema, "#/components/schemas/MeetingImportBody");
    }

    #[test]
    fn every_operation_has_a_unique_id_and_describes_its_errors() {
        let document = document();
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
