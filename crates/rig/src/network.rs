//! A network of a test's own: it can stand for the whole internet, with names that mean what the test says.

use std::{env, process::Command};

/// Set inside such a network.
const INSIDE: &str = "PRESSTIME_TEST_NETWORK";
/// Where its name server is asked, port 53.
pub const NAME_SERVER: &str = "127.0.0.53";

/// Runs the test of this name (as `--list` shows it) once more, in a network where these addresses are this machine's and
/// nothing else can be reached, where names are asked of a [`crate::Names`]. `true` there: go on; `false` outside, after it has passed.
///
/// # Panics
/// If the test fails there, or the system allows no such network (it needs `unshare`, `ip` and user namespaces, or root).
#[must_use]
pub fn is_in_own_network(test: &str, addresses: &[&str]) -> bool {
    #[expect(clippy::disallowed_methods, reason = "how the test knows that it is the one inside")]
    if env::var_os(INSIDE).is_some() {
        return true;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let names = folder.path().join("resolv.conf");
    std::fs::write(&names, format!("nameserver {NAME_SERVER}\noptions timeout:1 attempts:2\n"))
        .expect("a file");
    let added: String = addresses.iter().map(|address| format!("ip addr add {address} dev lo\n")).collect();
    let script = format!("ip link set lo up\n{added}mount --bind \"$0\" /etc/resolv.conf\nexec \"$@\"");
    let mut command = Command::new("unshare");
    if !is_root() {
        command.arg("--map-root-user");
    }
    command.args(["--net", "--mount", "sh", "-ec", &script]).arg(&names);
    command.arg(env::current_exe().expect("this program")).args(["--exact", test, "--nocapture"]);
    let output = command.env(INSIDE, "1").output().expect("unshare is installed");
    let said = String::from_utf8_lossy(&output.stdout);
    let is_passed = output.status.success() && said.contains("1 passed");
    assert!(is_passed, "{test}, in a network of its own:\n{said}{}", String::from_utf8_lossy(&output.stderr));
    false
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().expect("id is installed");
    id.stdout.trim_ascii() == b"0"
}
