//! A WordPress site: Debian's WordPress on the server of PHP, with a MariaDB of its own.

use super::mariadb::{run, start_database};
use crate::port::{free_port, wait_for_port};
use std::{path::Path, process::Stdio};
use tempfile::TempDir;
use tokio::process::{Child, Command};

/// Where Debian has WordPress.
const PROGRAM: &str = "/usr/share/wordpress";
/// Installs the site and its users.
const INSTALL: &str = include_str!("wordpress.php");

/// A theme that shows title and text: Debian's WordPress has none.
const THEME: [(&str, &str); 2] = [
    ("style.css", "/* Theme Name: Plain */"),
    ("index.php", "<?php while (have_posts()) { the_post(); the_title('<h1>', '</h1>'); the_content(); }"),
];

/// A running site with an author and a contributor. Stops when dropped.
#[derive(Debug)]
pub struct WordPress {
    port: u16,
    author: String,
    contributor: String,
    // Dropped in this order: the folder last.
    _server: Child,
    _database: Child,
    _folder: TempDir,
}

impl WordPress {
    /// Name of the user who may publish posts.
    pub const AUTHOR: &'static str = "author";
    /// Name of the user who may only write drafts.
    pub const CONTRIBUTOR: &'static str = "contributor";

    /// Starts a site on a free port. That takes seconds, so share it.
    ///
    /// # Panics
    /// If WordPress, PHP or MariaDB is not installed or does not start.
    pub async fn start() -> Self {
        let folder = tempfile::Builder::new().prefix("wp").tempdir_in("/tmp").expect("a temporary folder");
        let (port, site, socket) = (free_port(), folder.path().join("site"), folder.path().join("db.sock"));
        let database = start_database(folder.path(), &socket).await;
        run(Command::new("cp").arg("-r").arg(format!("{PROGRAM}/.")).arg(&site)).await;
        let theme = site.join("wp-content/themes/plain");
        std::fs::create_dir_all(&theme).expect("its theme");
        for (name, content) in THEME {
            std::fs::write(theme.join(name), content).expect("its theme");
        }
        std::fs::write(site.join("wp-config.php"), settings(port, &socket)).expect("its settings");
        let install = folder.path().join("install.php");
        std::fs::write(&install, INSTALL).expect("its installation");
        let passwords =
            run(Command::new("php").arg(&install).arg(&site).arg(&socket).arg(port.to_string())).await;
        let mut passwords = passwords.lines().rev().map(str::to_owned);
        let (contributor, author) = (passwords.next(), passwords.next());
        let server = Command::new("php")
            .args(["-S", &format!("127.0.0.1:{port}"), "-t"])
            .arg(&site)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("PHP is installed: apt-get install php-cli");
        wait_for_port(port).await;
        Self {
            port,
            author: author.expect("the password of the author"),
            contributor: contributor.expect("the password of the contributor"),
            _server: server,
            _database: database,
            _folder: folder,
        }
    }

    /// Returns its port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns the application password of a user.
    #[must_use]
    pub fn password(&self, user: &str) -> &str {
        if user == Self::CONTRIBUTOR { &self.contributor } else { &self.author }
    }
}

/// The settings: application passwords without HTTPS, no cron and no requests to others.
fn settings(port: u16, socket: &Path) -> String {
    let keys = ["AUTH", "SECURE_AUTH", "LOGGED_IN", "NONCE"]
        .map(|name| format!("define('{name}_KEY', '{name} key'); define('{name}_SALT', '{name} salt');\n"))
        .concat();
    format!(
        "<?php\n\
         define('DB_NAME', 'wordpress'); define('DB_USER', 'root'); define('DB_PASSWORD', '');\n\
         define('DB_HOST', 'localhost:{}'); define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');\n\
         {keys}\
         define('WP_ENVIRONMENT_TYPE', 'local'); define('DISABLE_WP_CRON', true);\n\
         define('WP_HTTP_BLOCK_EXTERNAL', true); define('WP_DEFAULT_THEME', 'plain');\n\
         define('WP_SITEURL', 'http://127.0.0.1:{port}'); define('WP_HOME', 'http://127.0.0.1:{port}');\n\
         $table_prefix = 'wp_';\n\
         if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');\n\
         require_once ABSPATH . 'wp-settings.php';\n",
        socket.display()
    )
}
