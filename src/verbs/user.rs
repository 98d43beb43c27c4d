//! `user`: accounts from the command line.

use super::operator;
use crate::{config::Config, house::House, plain::plain, trouble::Trouble};
use clap::Subcommand;
use domain::{
    Role,
    person::{NewPerson, Person},
};
use std::io::Read as _;

/// What can be done to accounts.
#[derive(Debug, Subcommand)]
pub enum User {
    /// Add somebody, with a password on standard input; works before set-up
    Add {
        /// Address they log in with
        #[arg(long)]
        email: String,
        /// What they are called
        #[arg(long)]
        name: String,
        /// creator, reviewer or admin
        #[arg(long, value_parser = role)]
        role: Role,
        /// Read the password from standard input; the only way, so that it never stands in the shell's history
        #[arg(long, required = true)]
        password_stdin: bool,
    },
    /// Everybody with an account
    List,
    /// Print a one-time link to a new password
    Reset {
        /// Address they log in with
        #[arg(long)]
        email: String,
    },
}

fn role(text: &str) -> Result<Role, String> {
    text.parse().map_err(|_| "the roles are creator, reviewer and admin".to_owned())
}

/// Does it.
pub async fn run(config: &Config, user: User) -> Result<(), Trouble> {
    let house = House::open(config).await?;
    match user {
        User::Add { email, name, role, .. } => {
            add(&house, NewPerson { email, name, password: password()? }, role).await
        }
        User::List => list(&house).await,
        User::Reset { email } => reset(&house, &email).await,
    }?;
    house.close().await;
    Ok(())
}

/// One line of standard input, without its end.
fn password() -> Result<String, Trouble> {
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .map_err(|_| Trouble::Failed("the password on standard input is not UTF-8 text".to_owned()))?;
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}

async fn add(house: &House, new: NewPerson, role: Role) -> Result<(), Trouble> {
    let person = house.people.add_person(new, role).await?;
    println!("{} can log in as {} ({})", plain(&person.name), plain(&person.email), person.role);
    Ok(())
}

async fn list(house: &House) -> Result<(), Trouble> {
    let people = house.desk.people.list(&operator()).await?;
    let width = people.iter().map(|person| person.email.chars().count()).max().unwrap_or(0);
    for person in people {
        let shut = if person.is_disabled { "  (shut)" } else { "" };
        println!(
            "{:width$}  {:8}  {}{shut}",
            plain(&person.email),
            person.role.as_str(),
            plain(&person.name)
        );
    }
    Ok(())
}

async fn reset(house: &House, email: &str) -> Result<(), Trouble> {
    let person = find(house, email).await?;
    let link = house.desk.people.reset(&operator(), person.id).await?;
    println!("{}{}", house.usual_url(), link.path);
    eprintln!("good until {}; their sessions end when it is used", link.expires_at);
    Ok(())
}

/// The account with that address.
pub async fn find(house: &House, email: &str) -> Result<Person, Trouble> {
    let people = house.desk.people.list(&operator()).await?;
    let wanted = email.trim().to_lowercase();
    let nobody = || {
        Trouble::Failed(format!(
            "nobody here has the address {wanted}; `presstime user list` shows everybody"
        ))
    };
    people.into_iter().find(|person| person.email == wanted).ok_or_else(nobody)
}
