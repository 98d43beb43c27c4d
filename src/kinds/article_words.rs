//! Words of the kinds of articles, which several features name.

/// Word of the kind that publishes an article.
pub const PUBLISH: &str = "article.publish";
/// Word of the kind that makes an article private again.
pub const UNPUBLISH: &str = "article.unpublish";
