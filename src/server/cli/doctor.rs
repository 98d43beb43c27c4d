//! `doctor`: checks the environment and prints advice.

use crate::{
    process::{
        cli_error::CliError,
        config::{Config, Serving},
    },
    server::doctor,
};
use clap::Args;

/// Flags of `doctor`.
#[derive(Debug, Args)]
pub struct Doctor {
    #[command(flatten)]
    pub serving: Serving,
}

/// Prints the findings; fails if a check failed.
pub async fn run(config: &Config) -> Result<(), CliError> {
    let findings = doctor::examine(config).await;
    for finding in &findings {
        println!("{finding}");
    }
    match findings.iter().filter(|finding| finding.mark == doctor::Mark::Fail).count() {
        0 => Ok(()),
        1 => Err(CliError::Failed("1 check failed".to_owned())),
        many => Err(CliError::Failed(format!("{many} checks failed"))),
    }
}
