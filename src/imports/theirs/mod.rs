//! The text that another site has of an article: shown beside the one from here, and taken as a new revision. The site is
//! asked when a user wants it, outside of transactions.

pub mod api;

use super::{
    actions::require_admin,
    importer::posts::taken::{Program, SiteText, TakenText, convert},
};
use crate::{
    app_state::AppState,
    articles::{ArticleService, TakenPost, save_taken},
    senders::{
        OutboundMessage, SendResult, Sender as _,
        posts::{
            RemoteState,
            whole::{WholePost, sent_html},
        },
        wordpress::blocks::blocks,
    },
    services::internal_error,
    text::{
        diff,
        render::{Budget, POOL},
    },
};
use domain::{
    Actor, ArticleId, ChannelId, DeliveryId, DomainError, PostId, Version,
    article::{Article, ArticleEdit, DiffLine},
    articles::details::DetailsEdit,
    channel::{Channel, Endpoint},
    imports::{ImportProblem, TextThere},
    post::Post,
};
use std::time::Duration;
use store::{
    PoolRole, article,
    article::ArticleRecord,
    channel,
    post::{self, SentText},
};
use url::Url;
use uuid::Uuid;

/// Maximum duration of all requests to the site.
const TIMEOUT: Duration = Duration::from_secs(30);

/// An article at a site, as it is known here.
struct Known {
    id: PostId,
    post: Post,
    article: ArticleRecord,
    sent: SentText,
    /// Names the site and has its secret.
    outbound: OutboundMessage,
    program: Program,
}

/// Asks a site for the text that it has of an article, and compares it with the one that was sent.
pub async fn show(
    parts: &AppState,
    actor: &Actor,
    article: ArticleId,
    channel: ChannelId,
) -> Result<TextThere, DomainError> {
    require_admin(actor)?;
    let known = find(parts, article, channel).await?;
    let whole = fetch(parts, &known).await?;
    let sent_text = (known.sent.slug.as_str(), known.sent.body.as_str());
    let html = sent_html(known.id, sent_text, &parts.senders.public_url).await.map_err(refused)?;
    let html = match known.program {
        Program::Wordpress => blocks(&html, "presstime"),
        Program::Ghost => html,
    };
    let theirs = site_text(parts, &whole);
    let sent = SiteText { html, ..theirs.clone() };
    let (program, fallback) = (known.program, known.sent.body.clone());
    let work = move |budget: &Budget| compare(program, (&sent, fallback.as_str()), &theirs, budget);
    let (text, lines) = POOL.run_for_client(actor.into(), work).await?.map_err(site)?;
    let can_take =
        known.post.is_edited_there() && whole.is_for_everyone && known.article.deleted_at.is_none();
    Ok(TextThere {
        can_take,
        hash: whole.hash(),
        sent_title: known.sent.title,
        post: known.post,
        title: text.title,
        body: text.body,
        left_out: text.left_out,
        lines,
    })
}

/// Converts both texts in the same way, so that only what was changed there differs.
fn compare(
    program: Program,
    (sent, fallback): (&SiteText, &str),
    theirs: &SiteText,
    budget: &Budget,
) -> Result<(TakenText, Vec<DiffLine>), String> {
    let text = convert(program, theirs, budget)?;
    let before = convert(program, sent, budget).map_or_else(|_| fallback.to_owned(), |sent| sent.body);
    let lines = diff::diff_lines(&before, &text.body, budget);
    Ok((text, lines))
}

/// Makes the text there a new revision of the article, unless it or the post is another one than the user has seen.
pub async fn take(
    parts: &AppState,
    actor: &Actor,
    id: PostId,
    (seen, seen_hash): (Version, &str),
) -> Result<Article, DomainError> {
    require_admin(actor)?;
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let found = post::find(lease.conn(), id).await.map_err(internal_error)?;
    drop(lease);
    let found = found.ok_or_else(|| DomainError::no_such("post"))?.into_post().map_err(internal_error)?;
    let known = find(parts, found.article, found.channel).await?;
    if known.article.deleted_at.is_some() {
        return Err(DomainError::InTrash);
    }
    if known.post.version != seen {
        return Err(DomainError::Changed);
    }
    if !known.post.is_edited_there() {
        return Err(DomainError::WrongState { what: "post".to_owned(), state: known.post.state.to_string() });
    }
    let whole = fetch(parts, &known).await?;
    if whole.hash() != seen_hash {
        return Err(DomainError::Changed);
    }
    if !whole.is_for_everyone {
        return Err(site("it is not for everyone there, and could become public here".to_owned()));
    }
    let (program, theirs) = (known.program, site_text(parts, &whole));
    let work = move |budget: &Budget| convert(program, &theirs, budget);
    let text = POOL.run_for_client(actor.into(), work).await?.map_err(site)?;
    let edit = ArticleEdit {
        title: Some(text.title),
        body: Some(text.body),
        seen_revision: known.article.revision,
        is_autosave: false,
        details: DetailsEdit::default(),
    };
    let taken = TakenPost {
        id,
        channel: known.post.channel,
        name: known.post.name,
        delivery: known.post.delivery,
        seen,
        hash: whole.fingerprint(id),
    };
    save_taken(&ArticleService::new(parts.clone()), actor, known.post.article, edit, &taken).await
}

async fn find(parts: &AppState, id: ArticleId, channel: ChannelId) -> Result<Known, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let article = article::find(lease.conn(), id).await.map_err(internal_error)?;
    let article = article.ok_or_else(|| DomainError::no_such("article"))?;
    let found = post::of_article(lease.conn(), id, Some(channel)).await.map_err(internal_error)?;
    let found = found.into_iter().next().ok_or_else(|| DomainError::no_such("channel"))?;
    let post = found.into_post().map_err(internal_error)?;
    let no_post = || DomainError::no_such("post");
    let post_id = post.id.ok_or_else(no_post)?;
    let sent = post::sent_text(lease.conn(), post_id).await.map_err(internal_error)?.ok_or_else(no_post)?;
    let record = channel::find(lease.conn(), channel).await.map_err(internal_error)?;
    drop(lease);
    let record = record.ok_or_else(|| DomainError::no_such("channel"))?;
    let sealed = record.secret.clone();
    let route = Channel::try_from(record).map_err(internal_error)?.settings.endpoint;
    let program = match &route {
        Endpoint::WordPress(_) => Program::Wordpress,
        Endpoint::Ghost(_) => Program::Ghost,
        Endpoint::Webhook(_) | Endpoint::Mail(_) | Endpoint::Sms(_) | Endpoint::Amqp(_) => {
            return Err(DomainError::no_such("channel"));
        }
    };
    let secret = sealed.and_then(|sealed| parts.senders.open_secret(channel, &sealed));
    let outbound = OutboundMessage {
        id: DeliveryId(Uuid::nil()),
        attempt: 1,
        route,
        body: String::new(),
        options: None,
        secrets: secret.into_iter().collect(),
        at: parts.clock.now(),
        known: Vec::new(),
        origin: None,
        post: None,
    };
    Ok(Known { id: post_id, post, article, sent, outbound, program })
}

/// Reads the post from the site. Nothing is written there.
async fn fetch(parts: &AppState, known: &Known) -> Result<WholePost, DomainError> {
    let gone = || site("it is not on the site".to_owned());
    let id = known.sent.remote_id.as_deref().ok_or_else(gone)?;
    let answer = tokio::time::timeout(TIMEOUT, parts.senders.read_post(&known.outbound, id)).await;
    let answer = answer.map_err(|_| site("the site does not answer in time".to_owned()))?;
    let whole = answer.map_err(refused)?.ok_or_else(gone)?;
    match whole.post.state {
        RemoteState::Trash => Err(site("it is in the trash of the site".to_owned())),
        RemoteState::Draft
        | RemoteState::Public
        | RemoteState::Planned
        | RemoteState::Waiting
        | RemoteState::Hidden => Ok(whole),
    }
}

fn site_text(parts: &AppState, whole: &WholePost) -> SiteText {
    SiteText {
        title: whole.title.clone(),
        html: whole.html.clone(),
        base: Url::parse(&whole.post.url).ok().filter(|url| matches!(url.scheme(), "http" | "https")),
        own: parts.senders.public_url.clone(),
    }
}

fn refused(failed: SendResult) -> DomainError {
    site(failed.text.unwrap_or_else(|| "the site cannot be reached".to_owned()))
}

fn site(why: String) -> DomainError {
    ImportProblem::Site { why }.into()
}
