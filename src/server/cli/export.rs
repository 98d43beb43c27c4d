//! `export`: writes content to a folder.

use super::require_database;
use crate::{
    process::{
        cli_error::CliError,
        config::{Config, LinkFlags},
    },
    server::{Server, export},
};
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Flags of `export`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
DIR gets articles/SLUG.md with front matter (the public text, else the scheduled one), revisions/SLUG.jsonl with the other revisions,
media/ and presstime.json (settings, list of files, posting slots, open releases). `presstime import markdown DIR` on an empty desk
restores them, published articles and schedules included; a text that is newer than the public one stays unpublished. Accounts,
channels, other tasks, published releases, reviews and the trash are only in `presstime backup`."
)]
pub struct Export {
    /// The folder to write; new or empty
    #[arg(required = true)]
    dir: Option<PathBuf>,
    #[command(subcommand)]
    what: Option<What>,
}

/// What else can be exported.
#[derive(Debug, Subcommand)]
pub enum What {
    /// The public site as static files, as the server shows it
    ///
    /// Pages are folders with an index.html, earlier addresses lead to the new ones. The search of
    /// the site needs a server. Links that need a host name use --public-url.
    Site {
        /// The folder to write; new or empty
        dir: PathBuf,
        /// Make links between pages relative, so that the folder can also be opened from disk
        #[arg(long)]
        relative: bool,
        #[command(flatten)]
        links: LinkFlags,
    },
}

impl Export {
    /// Returns the flags for links; empty if no links are written.
    pub fn links(&self) -> LinkFlags {
        match &self.what {
            Some(What::Site { links, .. }) => links.clone(),
            None => LinkFlags::default(),
        }
    }
}

/// Runs the export.
pub async fn run(config: &Config, export: Export) -> Result<(), CliError> {
    require_database(config)?;
    let server = Server::open(config).await?;
    let written = match (export.what, export.dir) {
        (Some(What::Site { dir, relative, .. }), _) => {
            if config.public_url.is_none() {
                eprintln!(
                    "no public URL is given, so links that need a host name lead to {}; give it with --public-url",
                    server.likely_url()
                );
            }
            let written = export::site::run(&server, &dir, relative).await;
            written.map(|written| format!("{} files, {} redirects", written.files, written.redirects))
        }
        (None, Some(dir)) => {
            let written = export::run(&server, &dir).await;
            written.map(|written| {
                let export::Written { articles, revisions, media } = written;
                format!("{articles} articles, {revisions} other revisions, {media} files")
            })
        }
        (None, None) => Err(CliError::Usage("name the folder to write".to_owned())),
    };
    server.close().await;
    println!("{}", written?);
    Ok(())
}
