//! Word lists, and the test of a text.

#[cfg(feature = "ssr")]
use crate::server_fns::ssr;
use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use domain::{
    DomainError, Version,
    review::{WordListEdit, WordListSettings, WordsToCheck, read_terms, write_terms},
};
use domain::{
    WordListId,
    review::{Action, FoundTerms, ListLanguage, WordListRevision, WordListRow, workflow::Workflow},
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// The lists, and whether they are used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WordListsPage {
    /// The lists, by name.
    pub lists: Vec<WordListRow>,
    /// The workflow.
    pub workflow: Workflow,
}

/// All lists. For admins.
#[server(name = ListWordLists, prefix = "/fn", endpoint = "word_lists", output = JsonOutput)]
pub async fn list_word_lists() -> Result<WordListsPage, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let workflow = services.reviews.settings(&actor).await?.workflow;
            Ok(WordListsPage { lists: services.words.list(&actor).await?, workflow })
        }
        .await,
    )
}

/// A list with its terms as lines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WordListPage {
    /// The list.
    pub row: WordListRow,
    /// Its terms, one a line.
    pub terms: String,
    /// Its states after the last changes, newest first.
    pub history: Vec<WordListRevision>,
}

/// A list with its terms. For admins.
#[server(name = FindWordList, prefix = "/fn", endpoint = "word_list", output = JsonOutput)]
pub async fn find_word_list(id: String) -> Result<WordListPage, Refused> {
    ssr::respond(
        async {
            let id: WordListId = id.parse().map_err(|_| DomainError::no_such("word list"))?;
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let list = services.words.find(&actor, id).await?;
            let history = services.words.history(&actor, id).await?;
            Ok(WordListPage { row: list.row, terms: write_terms(&list.terms), history })
        }
        .await,
    )
}

/// Adds a list.
#[server(name = AddWordList, prefix = "/fn", endpoint = "add_word_list", output = JsonOutput)]
pub async fn add_word_list(
    name: String,
    language: ListLanguage,
    action: Action,
    #[server(default)] terms: String,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let settings = WordListSettings { name, language, action };
            let terms = read_terms(&terms);
            ssr::services()?.words.create(&ssr::actor()?, settings, terms).await.map_err(of_field)?;
            ssr::redirect("/settings/words?done=add");
            Ok(())
        }
        .await,
    )
}

/// Changes the settings of a list.
#[server(name = EditWordList, prefix = "/fn", endpoint = "edit_word_list", output = JsonOutput)]
pub async fn edit_word_list(
    id: WordListId,
    seen: i32,
    name: String,
    language: ListLanguage,
    action: Action,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let edit = WordListEdit { name: Some(name), language: Some(language), action: Some(action) };
            ssr::services()?.words.edit(&ssr::actor()?, id, edit, Some(Version(seen))).await?;
            ssr::redirect(&format!("/settings/words/{id}?done=save"));
            Ok(())
        }
        .await,
    )
}

/// Replaces the terms of a list.
#[server(name = SetWordTerms, prefix = "/fn", endpoint = "set_word_terms", output = JsonOutput)]
pub async fn set_word_terms(
    id: WordListId,
    seen: i32,
    #[server(default)] terms: String,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let (services, terms) = (ssr::services()?, read_terms(&terms));
            let seen = Some(Version(seen));
            services.words.set_terms(&ssr::actor()?, id, terms, seen).await.map_err(of_field)?;
            ssr::redirect(&format!("/settings/words/{id}?done=save"));
            Ok(())
        }
        .await,
    )
}

/// Restores an earlier state of a list.
#[server(name = RestoreWordList, prefix = "/fn", endpoint = "restore_word_list", output = JsonOutput)]
pub async fn restore_word_list(id: WordListId, seen: i32, version: i32) -> Result<(), Refused> {
    ssr::respond(
        async {
            let (version, seen) = (Version(version), Some(Version(seen)));
            ssr::services()?.words.restore(&ssr::actor()?, id, version, seen).await?;
            ssr::redirect(&format!("/settings/words/{id}?done=restore"));
            Ok(())
        }
        .await,
    )
}

/// Deletes a list.
#[server(name = DeleteWordList, prefix = "/fn", endpoint = "delete_word_list", output = JsonOutput)]
pub async fn delete_word_list(id: WordListId, seen: i32) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.words.delete(&ssr::actor()?, id, Some(Version(seen))).await?;
            ssr::redirect("/settings/words?done=delete");
            Ok(())
        }
        .await,
    )
}

/// A tested text, and what was found in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TestedText {
    /// The text.
    pub text: String,
    /// What was found.
    pub found: FoundTerms,
}

/// Tests a text; `None`: it is empty.
#[server(name = TestText, prefix = "/fn", endpoint = "test_text", output = JsonOutput)]
pub async fn test_text(text: String) -> Result<Option<TestedText>, Refused> {
    ssr::respond(
        async {
            if text.is_empty() {
                return Ok(None);
            }
            let words = WordsToCheck { text: text.clone(), ..WordsToCheck::default() };
            let found = ssr::services()?.words.check(&ssr::actor()?, words).await?;
            Ok(Some(TestedText { text, found }))
        }
        .await,
    )
}

/// A problem of one term, as one of the field with all terms.
#[cfg(feature = "ssr")]
fn of_field(refusal: DomainError) -> DomainError {
    use domain::error::ValidationError;
    match refusal {
        DomainError::Invalid { field, problem } if field.starts_with("terms[") => {
            let number = field.trim_start_matches("terms[").split(']').next().unwrap_or_default();
            let number = number.parse::<usize>().map_or(0, |number| number + 1);
            DomainError::invalid(
                "terms",
                ValidationError::Line {
                    number: u32::try_from(number).unwrap_or(u32::MAX),
                    why: Box::new(problem),
                },
            )
        }
        other => other,
    }
}
