//! `doctor`: looks, and says what to do.

use crate::{
    config::{Config, Serving},
    doctor,
    trouble::Trouble,
};
use clap::Args;

/// Flags of `doctor`.
#[derive(Debug, Args)]
pub struct Doctor {
    #[command(flatten)]
    pub serving: Serving,
}

/// Prints a table of what was looked at; fails if something is broken.
pub async fn run(config: &Config) -> Result<(), Trouble> {
    let findings = doctor::examine(config).await;
    for finding in &findings {
        println!("{finding}");
    }
    match findings.iter().filter(|finding| finding.mark == doctor::Mark::Fail).count() {
        0 => Ok(()),
        1 => Err(Trouble::Failed("1 thing is broken".to_owned())),
        many => Err(Trouble::Failed(format!("{many} things are broken"))),
    }
}
