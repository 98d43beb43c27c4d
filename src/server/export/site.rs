//! Writes the public site as static files, rendered as the server renders it: pages are requested
//! from its router, and their links are followed.

use super::{prepare, put, relative::Files, unwritten};
use crate::{
    http,
    process::cli_error::CliError,
    server::{Server, routes},
    text::render::decode_entities,
};
use axum::{
    Router,
    body::Body,
    extract::ConnectInfo,
    http::{Request, StatusCode, header},
};
use domain::text::slice_text;
use http_body_util::BodyExt as _;
use std::{
    collections::{BTreeMap, HashSet, VecDeque},
    fs,
    net::{Ipv4Addr, SocketAddr},
    path::{Component, Path, PathBuf},
};
use store::{PoolRole, export};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

/// Maximum number of files.
const MAX_FILES: usize = 500_000;
/// Paths that begin an export besides what they link to.
const STARTS: [&str; 7] = [
    "/site",
    "/site/archive/all",
    "/site/feed.xml",
    "/site/feed.json",
    "/site/sitemap.xml",
    "/robots.txt",
    "/favicon.svg",
];
/// Paths of the site.
const PREFIXES: [&str; 3] = ["/site", "/media/", "/pkg/"];
/// A path without a page.
const MISSING: &str = "/site/-";

/// What was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WrittenSite {
    /// Number of files.
    pub files: usize,
    /// Number of redirects from earlier addresses.
    pub redirects: usize,
}

/// Writes the public site to a new folder. `is_relative`: its links also work when it is opened from disk.
pub async fn run(server: &Server, folder: &Path, is_relative: bool) -> Result<WrittenSite, CliError> {
    prepare(folder)?;
    let public_url = server.likely_url();
    let mut crawl = Crawl {
        router: routes::router(server.web(public_url.clone(), CancellationToken::new())),
        files: Files { public_url: public_url.clone(), ..Files::default() },
        public_url,
        waiting: STARTS.iter().map(|path| (*path).to_owned()).collect(),
        seen: STARTS.iter().map(|path| (*path).to_owned()).collect(),
        pages: BTreeMap::new(),
    };
    let mut written = WrittenSite::default();
    while let Some(path) = crawl.waiting.pop_front() {
        let (status, kind, bytes) = crawl.get(&path).await?;
        if status != StatusCode::OK {
            tracing::warn!("{path} answered {status} and is left out");
            continue;
        }
        let public = crawl.public_path(&path);
        let Some(file) = file_of(folder, &public, &kind) else {
            tracing::warn!("{path} cannot be the name of a file and is left out");
            continue;
        };
        let bytes = if kind.starts_with("text/html") { crawl.page(&path, &bytes) } else { bytes };
        put(&file, bytes)?;
        crawl.files.add(&public, kind.starts_with("text/html"));
        written.files += 1;
        if written.files > MAX_FILES {
            return Err(CliError::Failed(format!("the site has more than {MAX_FILES} files")));
        }
    }
    let (_, _, missing) = crawl.get(MISSING).await?;
    put(&folder.join("404.html"), missing)?;
    let mut lease = server.parts.store.read(PoolRole::Web).await?;
    for (_, from, to) in export::redirects(lease.conn()).await? {
        let (from, to) = (http::site::article_path(&from), http::site::article_path(&to));
        let file = file_of(folder, &from, "text/html");
        if let Some(file) = file.filter(|_| crawl.seen.contains(&to)) {
            put(&file, redirect(&to))?;
            crawl.files.add(&from, true);
            written.redirects += 1;
        }
    }
    written.files += 1;
    if is_relative {
        make_relative(folder, &crawl.files)?;
    }
    Ok(written)
}

/// Makes the links of all pages relative, but of the one for missing paths, which has no path of its own.
fn make_relative(folder: &Path, files: &Files) -> Result<(), CliError> {
    for (path, address) in files.by_path.iter().filter(|(_, address)| address.ends_with("/index.html")) {
        let Some(file) = file_of(folder, path, "text/html") else { continue };
        let page = fs::read_to_string(&file).map_err(|why| unwritten(&file, &why))?;
        put(&file, files.with_relative_links(&page, address))?;
    }
    Ok(())
}

/// Follows the links of the site.
struct Crawl {
    router: Router,
    /// Without a trailing slash.
    public_url: String,
    waiting: VecDeque<String>,
    seen: HashSet<String>,
    /// Paths of the later pages of lists, by their address with a query.
    pages: BTreeMap<String, String>,
    /// What was written.
    files: Files,
}

impl Crawl {
    async fn get(&self, path: &str) -> Result<(StatusCode, String, Vec<u8>), CliError> {
        let failed = |why: String| CliError::Failed(format!("{path} could not be rendered: {why}"));
        let host = self.public_url.split("://").nth(1).unwrap_or("localhost");
        let mut request = Request::get(path)
            .header(header::HOST, host)
            .body(Body::empty())
            .map_err(|why| failed(why.to_string()))?;
        request.extensions_mut().insert(ConnectInfo(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))));
        let Ok(response) = self.router.clone().oneshot(request).await;
        let (head, body) = response.into_parts();
        let bytes = body.collect().await.map_err(|why| failed(why.to_string()))?.to_bytes();
        let kind = head.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        Ok((head.status, kind.unwrap_or_default().to_owned(), bytes.to_vec()))
    }

    /// Collects the links of a page, also those with the public URL, and replaces those with a query.
    fn page(&mut self, path: &str, bytes: &[u8]) -> Vec<u8> {
        let html = String::from_utf8_lossy(bytes).into_owned();
        let mut replaced = html.clone();
        for address in addresses(&html) {
            let target = decode_entities(&address).split('#').next().unwrap_or_default().to_owned();
            let (base, target) = match target.strip_prefix(&self.public_url) {
                Some(path) => (self.public_url.as_str(), path.to_owned()),
                None => ("", target),
            };
            if !PREFIXES.iter().any(|prefix| target.starts_with(prefix)) {
                continue;
            }
            if let Some((list, query)) = target.split_once('?') {
                if !query.starts_with("after=") {
                    continue;
                }
                let number = self.number_of(path) + 1;
                let page =
                    self.pages.entry(target.clone()).or_insert_with(|| format!("{list}/page/{number}"));
                replaced = replaced.replace(&format!("\"{address}\""), &format!("\"{base}{page}\""));
            }
            if self.seen.insert(target.clone()) {
                self.waiting.push_back(target);
            }
        }
        replaced.into_bytes()
    }

    /// Number of a page of a list, from 1.
    fn number_of(&self, path: &str) -> usize {
        let page = self.pages.get(path).and_then(|page| page.rsplit('/').next());
        page.and_then(|number| number.parse().ok()).unwrap_or(1)
    }

    fn public_path(&self, path: &str) -> String {
        self.pages.get(path).cloned().unwrap_or_else(|| path.to_owned())
    }
}

/// Returns the values of all attributes with an address.
fn addresses(html: &str) -> Vec<String> {
    let mut found = Vec::new();
    for mark in ["href=\"", "src=\"", "srcset=\"", "property=\"og:image\" content=\""] {
        for (at, _) in html.match_indices(mark) {
            let rest = slice_text(html, at + mark.len()..);
            let value = rest.split('"').next().unwrap_or_default();
            if mark == "srcset=\"" {
                let parts = value.split(',').filter_map(|part| part.split_whitespace().next());
                found.extend(parts.map(str::to_owned));
            } else {
                found.push(value.to_owned());
            }
        }
    }
    found
}

/// Returns the file of a path: pages are folders with an `index.html`. `None`: it cannot be a file, because
/// a part of it is `..` for example.
fn file_of(folder: &Path, path: &str, kind: &str) -> Option<PathBuf> {
    let path = crate::text::percent::decoded(path);
    let relative = Path::new(path.trim_start_matches('/'));
    let has_dots = path.split('/').any(|part| matches!(part, "." | ".."));
    let is_plain = relative.components().all(|part| matches!(part, Component::Normal(_)));
    if has_dots || !is_plain || path.contains('\0') {
        return None;
    }
    let file = folder.join(relative);
    Some(if kind.starts_with("text/html") { file.join("index.html") } else { file })
}

fn redirect(to: &str) -> String {
    let to = crate::text::html::escape(to);
    format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Moved</title>\
         <meta http-equiv=\"refresh\" content=\"0; url={to}\"><link rel=\"canonical\" href=\"{to}\"></head>\
         <body><a href=\"{to}\">{to}</a></body></html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_dots_is_no_file() {
        let file = |path: &str| file_of(Path::new("x"), path, "text/html");
        assert_eq!(file("/site/a"), Some(PathBuf::from("x/site/a/index.html")));
        for path in ["/site/tag/..", "/site/tag/.", "/site/tag/%2E%2E/feed.xml", "/site/a%00"] {
            assert_eq!(file(path), None, "{path}");
        }
    }
}
