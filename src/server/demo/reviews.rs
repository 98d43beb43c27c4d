//! Reviews of the demo: word lists, an article that waits for a reviewer with a deadline, one that was
//! sent back, and one that is held.

use crate::{process::cli_error::CliError, server::Server};
use domain::{
    Actor, Kind, Timestamp,
    article::NewArticle,
    review::{
        Action, ListLanguage, Term, WordListSettings,
        workflow::{Deadline, Review, ReviewSettings, WaitingChoice, Workflow},
    },
    task::NewTask,
};

const MINUTE_MS: i64 = 60_000;

const LISTS: [(&str, Action, &[&str]); 3] = [
    ("Legal", Action::NeedsApproval, &["embargo", "lawsuit", "禁运"]),
    ("Never", Action::Block, &["confidential", "内部资料"]),
    ("Style", Action::Flag, &["utilise", "commence"]),
];

/// The articles: title, text.
const TEXTS: [(&str, &str); 3] = [
    (
        "Figures under embargo",
        "The figures of the quarter are under **embargo** until the conference.\n\nA reviewer looks at texts with such words \
         before they are published.",
    ),
    (
        "A lawsuit in one sentence",
        "A company filed a lawsuit against a company, sources say.\n\nThe reviewer asked for names.",
    ),
    (
        "Notes that stay inside",
        "This draft still quotes a page marked as confidential.\n\nIt is held until the text or the word list changes.",
    ),
];

/// Switches the content review on, and submits the articles. In an existing demo it does nothing.
pub async fn prepare(server: &Server, people: &[Actor]) -> Result<(), CliError> {
    let [admin, reviewer, creator] = people else { return Ok(()) };
    let services = &server.services;
    let settings = services.reviews.settings(admin).await?;
    if settings.version.0 > 0 {
        return Ok(());
    }
    for (name, action, terms) in LISTS {
        let settings = WordListSettings { name: name.to_owned(), language: ListLanguage::Any, action };
        let terms = terms.iter().map(|&term| Term { term: term.to_owned(), ..Term::default() });
        services.words.create(admin, settings, terms.collect()).await?;
    }
    let settings = ReviewSettings { workflow: Workflow::Automatic, ..settings };
    services.reviews.change_settings(admin, settings.clone(), WaitingChoice::Keep, None).await?;
    let [waiting, unclear, held] = TEXTS;
    let review = submit(server, creator, unclear).await?;
    let reason = "Who sues whom, and where? Name the court.".to_owned();
    services.reviews.send_back(reviewer, review.article_id, review.revision, reason).await?;
    submit(server, creator, held).await?;
    let deadline = Deadline { after_submit: Some(30), before_publish: Some(5), ..Deadline::default() };
    let settings = ReviewSettings { deadline, ..settings };
    services.reviews.change_settings(admin, settings, WaitingChoice::Keep, None).await?;
    let review = submit(server, creator, waiting).await?;
    let due: Timestamp = server.parts.clock.now().plus(20 * MINUTE_MS);
    let (kind, target_id) = (Kind::ArticlePublish, review.article_id.0);
    let task = NewTask { kind, target_id, when: due.into(), priority: None, revision: None };
    services.tasks.schedule(creator, task).await?;
    Ok(())
}

/// Writes an article and submits it.
async fn submit(server: &Server, author: &Actor, (title, body): (&str, &str)) -> Result<Review, CliError> {
    let new = NewArticle { title: title.to_owned(), body: body.to_owned(), ..NewArticle::default() };
    let article = server.services.articles.create(author, new).await?.row;
    Ok(server.services.reviews.submit(author, article.id, article.revision, None).await?)
}
