//! Creates many drafts directly in SQL: creating them must not take most of a run's time.

use uuid::Uuid;

/// Returns statements that create a draft with each of these ids, owned by the first account.
/// `literal` formats an id for the database. The slug of each is [`slug`].
pub fn statements(ids: &[Uuid], literal: impl Fn(&Uuid) -> String) -> String {
    let owner = "(select id from account limit 1)";
    let article = |id: &Uuid| {
        let (text, slug) = (literal(id), slug(id));
        format!("({text}, '{slug}', {owner}, 'draft', {text}, 1, 'Draft', 1, 1)")
    };
    let revision = |id: &Uuid| {
        let text = literal(id);
        format!("({text}, {text}, 1, 'Draft', 'A text.', 2, {owner}, 1)")
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

/// Returns the slug of the draft with this id.
pub fn slug(id: &Uuid) -> String {
    format!("s{}", id.simple())
}
