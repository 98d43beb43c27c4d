//! Many drafts at once, written past the program: what there is to write about must not be what a run waits for.

use uuid::Uuid;

/// Statements that write a draft under each of these identities, as the first person there is; `literal` writes an identity as the
/// database reads it. The slug of each is its [`slug`].
pub fn statements(ids: &[Uuid], literal: impl Fn(&Uuid) -> String) -> String {
    let owner = "(select id from person limit 1)";
    let article = |id: &Uuid| {
        let (text, slug) = (literal(id), slug(id));
        format!("({text}, '{slug}', {owner}, 'draft', {text}, 1, 'Herd', 1, 1)")
    };
    let revision = |id: &Uuid| {
        let text = literal(id);
        format!("({text}, {text}, 1, 'Herd', 'A text.', 2, {owner}, 1)")
    };
    let rows = |row: &dyn Fn(&Uuid) -> String| ids.iter().map(row).collect::<Vec<_>>().join(",");
    format!(
        "begin;
         insert into article (id, slug, owner_id, state, revision_id, revision, title, created_at, changed_at) values {};
         insert into revision (id, article_id, number, title, body, words, author_id, saved_at) values {};
         commit",
        rows(&article),
        rows(&revision)
    )
}

/// Where the public would find it.
pub fn slug(id: &Uuid) -> String {
    format!("s{}", id.simple())
}
