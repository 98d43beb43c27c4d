//! A network namespace for one test: it stands for the whole internet, with DNS names that the test
//! decides.

mod dns;

pub use dns::FakeDns;
use std::{env, process::Command};

/// Environment variable that is set inside the namespace.
const INSIDE_VARIABLE: &str = "PRESSTIME_TEST_NETWORK";
/// Address of the namespace's DNS server, port 53.
pub const NAME_SERVER: &str = "127.0.0.53";

/// Runs the test of this name (as `--list` shows it) again in its own network namespace. There the
/// given addresses are local, nothing else can be reached, and a [`FakeDns`] resolves names.
///
/// Returns `true` inside the namespace: run the test. Returns `false` outside, after it has passed
/// inside.
///
/// # Panics
/// If the test fails, or the system allows no namespace (needs `unshare`, `ip`, and user namespaces
/// or root).
#[must_use]
pub fn is_in_network_namespace(test: &str, addresses: &[&str]) -> bool {
    #[expect(clippy::disallowed_methods, reason = "shows the test that it runs inside the namespace")]
    if env::var_os(INSIDE_VARIABLE).is_some() {
        return true;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let resolv_conf = folder.path().join("resolv.conf");
    std::fs::write(&resolv_conf, format!("nameserver {NAME_SERVER}\noptions timeout:1 attempts:2\n"))
        .expect("a file");
    let added: String = addresses.iter().map(|address| add(address)).collect();
    let script = format!("ip link set lo up\n{added}mount --bind \"$0\" /etc/resolv.conf\nexec \"$@\"");
    let mut command = Command::new("unshare");
    if !is_root() {
        command.arg("--map-root-user");
    }
    command.args(["--net", "--mount", "sh", "-ec", &script]).arg(&resolv_conf);
    command.arg(env::current_exe().expect("this program")).args(["--exact", test, "--nocapture"]);
    let output = command.env(INSIDE_VARIABLE, "1").output().expect("unshare is installed");
    let stdout = String::from_utf8_lossy(&output.stdout);
    let is_passed = output.status.success() && stdout.contains("1 passed");
    assert!(
        is_passed,
        "{test}, in its network namespace:\n{stdout}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    false
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().expect("id is installed");
    id.stdout.trim_ascii() == b"0"
}

/// The command that adds an address. An IPv6 address without `nodad` cannot be bound until the kernel has looked for
/// duplicates, which takes a moment on a busy machine.
fn add(address: &str) -> String {
    let option = if address.contains(':') { " nodad" } else { "" };
    format!("ip addr add {address} dev lo{option}\n")
}
