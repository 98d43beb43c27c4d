//! The Debian package in a new Debian 12: installed, started as its unit does, upgraded, removed, purged. It needs
//! root and a mirror of Debian.

use crate::faults::{REQUEST_TIMEOUT, say};
use std::{
    fs,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};
use tempfile::TempDir;
use test_support::{free_port, wait_for_port};
use tokio::time::timeout;

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Version of the package from which the upgrade begins.
const OLDER: &str = "0.0.1";
/// Release of Debian.
const SUITE: &str = "bookworm";
/// It is in the path of root only.
const CHROOT: &str = "/usr/sbin/chroot";
const DEBOOTSTRAP: &str = "/usr/sbin/debootstrap";
/// Seconds in which the new Debian must be there: it loads 60 MB.
const CREATE_SECONDS: &str = "600";
/// What the package needs beside the base of Debian.
const INCLUDED: &str = "--include=systemd-standalone-sysusers";

#[track_caller]
fn output(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|why| panic!("{command:?}: {why}"));
    let printed = [&output.stdout[..], &output.stderr].concat();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&printed));
    output
}

/// A new Debian in a folder.
struct Debian {
    folder: TempDir,
}

impl Debian {
    /// Creates it. The error says why that is not possible.
    fn create() -> Result<Self, String> {
        if !fs::metadata("/proc/self").is_ok_and(|me| me.uid() == 0) {
            return Err("debootstrap needs root".to_owned());
        }
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        if !Path::new(DEBOOTSTRAP).exists() {
            return Err(format!("{DEBOOTSTRAP} is not installed"));
        }
        // A mirror that does not answer must not stop the other tests.
        let mut command = Command::new("timeout");
        command.args([CREATE_SECONDS, DEBOOTSTRAP, "--variant=minbase", INCLUDED, SUITE]);
        command.arg(folder.path()).args(mirror()).stdin(Stdio::null());
        let made = command.output().map_err(|why| format!("debootstrap: {why}"))?;
        let printed = String::from_utf8_lossy(&made.stdout);
        let last = printed.lines().last().unwrap_or_default();
        if made.status.success() { Ok(Self { folder }) } else { Err(format!("debootstrap: {last}")) }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path.trim_start_matches('/'))
    }

    /// A command inside of it.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(CHROOT);
        command.arg(self.folder.path()).args(arguments).env_clear();
        command.envs([("PATH", "/usr/sbin:/usr/bin:/sbin:/bin"), ("DEBIAN_FRONTEND", "noninteractive")]);
        command.stdin(Stdio::null());
        command
    }

    #[track_caller]
    fn run(&self, arguments: &[&str]) -> String {
        String::from_utf8(output(&mut self.command(arguments)).stdout).expect("its output is text")
    }

    /// Installs a package file of this machine.
    fn install(&self, package: &Path) {
        fs::copy(package, self.path("/presstime.deb")).unwrap();
        self.run(&["dpkg", "--install", "/presstime.deb"]);
    }

    /// Returns the value of a line of the unit.
    fn unit(&self, name: &str) -> String {
        let unit = fs::read_to_string(self.path("/usr/lib/systemd/system/presstime.service")).unwrap();
        let value = unit.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        value.unwrap_or_else(|| panic!("the unit has no {name}")).to_owned()
    }

    /// Starts the program as the unit does, and stops it when it listens.
    async fn start_and_stop(&self, port: u16) {
        let (user, group) = (self.unit("User"), self.unit("Group"));
        let ids = ["-u", "-g"].map(|kind| self.run(&["id", kind, &user]).trim().parse::<u32>().unwrap());
        let data = self.path("/var/lib").join(self.unit("StateDirectory"));
        fs::create_dir_all(&data).unwrap();
        chown(&data, Some(ids[0]), Some(ids[1])).unwrap();
        fs::set_permissions(&data, fs::Permissions::from_mode(0o700)).unwrap();
        let program = self.unit("ExecStart");
        let mut command = tokio::process::Command::new(CHROOT);
        command.arg(format!("--userspec={user}:{group}")).arg(self.folder.path()).args(program.split(' '));
        command.env_clear().env("PATH", "/usr/bin:/bin").stdin(Stdio::null()).stdout(Stdio::null());
        let mut child = command.kill_on_drop(true).spawn().unwrap();
        wait_for_port(port).await;
        let pid = child.id().expect("it runs").to_string();
        output(Command::new("kill").args(["-TERM", &pid]));
        let status = timeout(REQUEST_TIMEOUT, child.wait()).await.expect("it stops").unwrap();
        assert_eq!(status.code(), Some(0));
    }

    fn has(&self, path: &str) -> bool {
        self.path(path).exists()
    }
}

/// The mirror that this machine uses; none: that of debootstrap.
fn mirror() -> Option<String> {
    let lists = fs::read_dir("/etc/apt/sources.list.d").into_iter().flatten().flatten();
    let files = lists.map(|entry| entry.path()).chain([PathBuf::from("/etc/apt/sources.list")]);
    let texts: Vec<String> = files.filter_map(|file| fs::read_to_string(file).ok()).collect();
    let mut words = texts.iter().flat_map(|text| text.lines()).filter_map(|line| {
        let beginning = ["URIs: ", "deb "].into_iter().find_map(|word| line.strip_prefix(word))?;
        beginning.split(' ').find(|word| word.starts_with("http") && word.ends_with("/debian"))
    });
    words.next().map(str::to_owned)
}

/// Makes the package of the program under test, and the same one with an older version.
fn packages(folder: &Path) -> [PathBuf; 2] {
    output(
        Command::new("sh")
            .arg("xtask/package/build.sh")
            .arg(test_support::program(env!("CARGO_BIN_EXE_presstime")))
            .args([VERSION])
            .arg(folder)
            .envs([("SOURCE_DATE_EPOCH", "1700000000"), ("FAST", "yes")]),
    );
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files = files.filter(|file| file.extension().is_some_and(|ending| ending == "deb"));
    let (newer, tree, older) = (files.next().unwrap(), folder.join("tree"), folder.join("older.deb"));
    output(Command::new("dpkg-deb").arg("-R").arg(&newer).arg(&tree));
    let control = tree.join("DEBIAN/control");
    let text = fs::read_to_string(&control).unwrap();
    let changed = text.replace(&format!("Version: {VERSION}"), &format!("Version: {OLDER}"));
    assert_ne!(changed, text);
    fs::write(&control, changed).unwrap();
    output(Command::new("dpkg-deb").args(["-Zgzip", "-z1", "-b"]).arg(&tree).arg(&older));
    [older, newer]
}

#[tokio::test]
async fn the_package_is_installed_upgraded_and_purged_in_a_new_debian() {
    let debian = match Debian::create() {
        Ok(debian) => debian,
        Err(reason) => return say(&format!("NOT RUN: the package in a new Debian: {reason}")),
    };
    let folder = tempfile::tempdir().unwrap();
    let [older, newer] = packages(folder.path());
    let version =
        |debian: &Debian| debian.run(&["dpkg-query", "--show", "--showformat=${Version}", "presstime"]);

    debian.install(&older);
    assert_eq!(version(&debian), OLDER);
    let port = free_port();
    let settings = debian.path("/etc/presstime/presstime.toml");
    let group: u32 = debian.run(&["id", "-g", "presstime"]).trim().parse().unwrap();
    let file = fs::metadata(&settings).unwrap();
    assert_eq!((file.permissions().mode() & 0o777, file.uid(), file.gid()), (0o640, 0, group));
    let own = format!("{}\nlisten = \"127.0.0.1:{port}\"\n", fs::read_to_string(&settings).unwrap());
    fs::write(&settings, &own).unwrap();
    debian.start_and_stop(port).await;
    let key = debian.path("/var/lib/presstime/secret.key");
    let first = fs::read_to_string(&key).unwrap();
    assert_eq!(fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);

    debian.install(&newer);
    assert_eq!((version(&debian).as_str(), fs::read_to_string(&settings).unwrap()), (VERSION, own));
    debian.start_and_stop(port).await;
    assert_eq!(fs::read_to_string(&key).unwrap(), first, "the data is that of before");

    debian.run(&["dpkg", "--remove", "presstime"]);
    assert!(!debian.has("/usr/bin/presstime") && settings.exists() && key.exists());
    debian.run(&["dpkg", "--purge", "presstime"]);
    assert!(!debian.has("/etc/presstime/presstime.toml") && key.exists(), "nothing is deleted unasked");

    debian.install(&newer);
    let answer = "echo presstime presstime/remove-data boolean true | debconf-set-selections";
    debian.run(&["sh", "-c", answer]);
    debian.run(&["dpkg", "--purge", "presstime"]);
    assert!(!debian.has("/var/lib/presstime") && !debian.has("/etc/presstime"));
    say(&format!("the package was installed, upgraded and purged in a new Debian ({SUITE})"));
}
