//! Texts of passkeys: the log-in page, the profile, the accounts, and the confirmation in place of the password.

use crate::texts;

texts! {
    /// Texts of passkeys.
    PasskeyTexts {
        title = "Passkeys", "通行密钥";
        lead = "Log in with fingerprint, face or PIN of a device instead of the password. A passkey works on this desk only, and needs no code.", "用设备的指纹、面容或 PIN 登录，代替密码。通行密钥只用于此工作台，无需验证码。";
        none = "You have no passkey yet.", "你还没有通行密钥。";
        name = "Name", "名称";
        name_hint = "What you recognise it by, such as the device or the password manager.", "便于辨认的名称，例如设备或密码管理器。";
        default_name = "This device", "此设备";
        add = "Add a passkey", "添加通行密钥";
        added_at = "Added", "添加时间：";
        used = "Last used", "最近使用：";
        never_used = "Never used", "从未使用";
        remove = "Remove", "移除";
        remove_of(name: &str) = "Remove the passkey “{name}”", "移除通行密钥“{name}”";
        added = "The passkey is added. You can log in with it.", "通行密钥已添加，可用于登录。";
        removed = "The passkey is removed. Remove it on your device too.", "通行密钥已移除。请在设备上也将其删除。";
        last_one = "If you remove your last passkey, the password logs in again.", "移除最后一个通行密钥后，将恢复密码登录。";
        is_full(max: usize) = "You have {max} passkeys, which is the limit. Remove one to add another.", "你已有 {max} 个通行密钥，达到上限。请先移除一个。";

        password_on = "The password also logs in.", "密码也可用于登录。";
        password_off = "The password does not log in: only your passkeys do. If you lose them, ask an admin.", "密码已不能登录，只能使用通行密钥。如果丢失，请联系管理员。";
        turn_off = "Turn the password off", "停用密码登录";
        turn_on = "Turn the password on", "启用密码登录";

        needs_script = "Passkeys need JavaScript, which this browser does not run. Use the password.", "通行密钥需要 JavaScript，此浏览器未启用。请使用密码。";
        unsupported = "This browser cannot use passkeys. Use the password.", "此浏览器不支持通行密钥。请使用密码。";
        failed = "The passkey was not used: the request was cancelled, or has expired. Try again, or use the password.", "未使用通行密钥：请求已取消或过期。请重试或使用密码。";
        not_added = "The passkey was not added: the request was cancelled, the password is wrong, or this device has one already.", "未添加通行密钥：请求已取消、密码不正确，或此设备已有通行密钥。";
        no_site = "Passkeys need an address with a name and https, or localhost. The address of this desk is an IP address or not encrypted.", "通行密钥需要带域名和 https 的地址，或 localhost。此工作台的地址是 IP 地址或未加密。";
        open_localhost = "Open this desk as localhost", "以 localhost 打开此工作台";

        log_in = "Log in with a passkey", "使用通行密钥登录";
        confirm = "Use a passkey instead", "改用通行密钥";

        reset = "Remove passkeys", "移除通行密钥";
        was_reset = "The passkeys are removed. This person is logged out, and logs in with the password.", "通行密钥已移除。对方已退出登录，现可用密码登录。";
    }
}
