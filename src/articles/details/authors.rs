//! The authors that an article names. Who may change it stays with its owner.

use super::whole;
use crate::services::internal_error;
use domain::{
    AccountId, DomainError,
    article::ArticleAuthor,
    articles::details::{ArticleDetails, MAX_AUTHORS, TAG_SEPARATORS},
    error::ValidationError,
};
use store::{Conn, account};
use uuid::Uuid;

/// Maximum length of what a refusal repeats, in characters.
const MAX_REPEATED_CHARS: usize = 60;

/// Returns the ids of the accounts that were typed as ids, names or email addresses, each once.
pub async fn checked(mut conn: Conn<'_>, typed: Vec<String>) -> Result<Vec<String>, DomainError> {
    if typed.len() > MAX_AUTHORS {
        let max = whole(MAX_AUTHORS);
        return Err(DomainError::invalid("authors", ValidationError::TooMany { max }));
    }
    let mut ids = Vec::new();
    for name in typed.iter().map(|name| name.trim()).filter(|name| !name.is_empty()) {
        let id = find(conn.reborrow(), name).await?.to_string();
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    Ok(ids)
}

async fn find(conn: Conn<'_>, typed: &str) -> Result<Uuid, DomainError> {
    let found = match typed.parse::<Uuid>() {
        Ok(id) => account::authors(conn, &[id]).await,
        // No name contains a NUL, which a database may refuse.
        Err(_) if typed.contains('\0') => Ok(Vec::new()),
        Err(_) => account::named_authors(conn, typed, &typed.to_lowercase()).await,
    };
    match found.map_err(internal_error)?.as_slice() {
        [one] => Ok(one.id),
        _ => {
            let name = typed.chars().take(MAX_REPEATED_CHARS).collect();
            Err(DomainError::invalid("authors", ValidationError::NoPerson { name }))
        }
    }
}

/// Returns the ids of the accounts that names mean, each once, and the names that mean none or several.
pub async fn known(
    mut conn: Conn<'_>,
    names: Vec<String>,
) -> Result<(Vec<String>, Vec<String>), DomainError> {
    let (mut ids, mut unknown) = (Vec::<String>::new(), Vec::new());
    for name in names {
        match find(conn.reborrow(), name.trim()).await {
            Ok(id) if ids.len() < MAX_AUTHORS => {
                let id = id.to_string();
                if !ids.contains(&id) {
                    ids.push(id);
                }
            }
            Ok(_) | Err(DomainError::Invalid { .. }) => unknown.push(name),
            Err(refusal) => return Err(refusal),
        }
    }
    Ok((ids, unknown))
}

/// Returns the authors that the details name, in order.
pub async fn named(conn: Conn<'_>, details: &ArticleDetails) -> Result<Vec<ArticleAuthor>, DomainError> {
    let ids: Vec<Uuid> = details.authors.iter().filter_map(|id| id.parse().ok()).collect();
    let rows = account::authors(conn, &ids).await.map_err(internal_error)?;
    let author = |id: &Uuid| {
        let row = rows.iter().find(|row| row.id == *id)?;
        let is_clear = row.namesakes == 1 && !row.name.contains(TAG_SEPARATORS);
        let typed = if is_clear { row.name.clone() } else { id.to_string() };
        Some(ArticleAuthor { id: AccountId(*id), name: row.name.clone(), typed })
    };
    Ok(ids.iter().filter_map(author).collect())
}
