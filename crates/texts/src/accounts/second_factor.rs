//! Texts of the second factor: the profile, and the second step of a log-in.

use crate::texts;

texts! {
    /// Texts of the second factor.
    SecondFactorTexts {
        title = "Second factor", "双重验证";
        lead = "After the password, a log-in also asks for a code of an authenticator app. API tokens are not affected: they work without a code.", "输入密码后，登录还需要验证器应用的验证码。API 令牌不受影响，无需验证码。";
        begin = "Set up", "开始设置";
        scan = "Scan the code with your authenticator app. Or add the key to it as time-based, or open the link on the device with the app. Then enter the code that the app shows. The key is not shown again afterwards.", "请用验证器应用扫描二维码，或将此密钥作为基于时间的验证码添加到应用，或在装有该应用的设备上打开链接，然后输入应用显示的验证码。之后不再显示此密钥。";
        qr_code = "QR code with the key below", "包含下方密钥的二维码";
        key = "Key", "密钥";
        open_app = "Open in the app", "在应用中打开";
        code = "Code", "验证码";
        code_hint = "Six digits from the app.", "应用显示的六位数字。";
        add = "Turn on", "启用";
        another_key = "Create another key", "重新生成密钥";
        is_on = "Log-ins ask for a code. Turned on", "登录需要验证码。启用时间：";
        codes_left(count: usize) = "Recovery codes left: {count}. Each one replaces a code of the app once.", "剩余恢复码：{count} 个。每个可代替应用的验证码使用一次。";
        no_codes = "No recovery codes are left. Create new ones, so that you can log in without the app.", "恢复码已用完。请生成新的恢复码，以便在没有应用时登录。";
        renew = "Create new recovery codes", "生成新的恢复码";
        remove = "Turn off", "停用";
        removed = "The second factor is off. Log-ins ask for the password only.", "双重验证已停用，登录只需密码。";
        codes_ready = "Your recovery codes. They are shown only once: store them safely, not on the device with the app. Earlier ones no longer work.", "你的恢复码。仅显示一次，请妥善保管，不要与应用放在同一设备上。之前的恢复码已失效。";

        required = "Your role needs a second factor. Without it, nothing else than this page can be used from this time on:", "你的角色必须启用双重验证。若未启用，从以下时间起只能使用本页：";
        input_is_kept = "Your input is kept. Turn the second factor on, then send it.", "所填内容已保留。请先启用双重验证，再提交。";
        send_input = "Send your input", "提交所填内容";
        required_for = "Required for", "必须启用的成员";
        for_none = "No account", "无";
        for_admins = "Admins", "管理员";
        for_reviewers = "Reviewers and admins", "审核人和管理员";
        for_all = "All accounts", "所有成员";
        required_hint = "Those without one have 7 days. After that, the browser shows them only the page that sets it up. API tokens keep working.", "未启用者有 7 天时间，之后在浏览器中只能打开设置页面。API 令牌仍可使用。";
        enforced = "Enforced:", "生效时间：";

        step_lead = "Your password is right. Enter the code that your authenticator app shows, or one of your recovery codes.", "密码正确。请输入验证器应用显示的验证码，或一个恢复码。";
        step_lost = "No app and no recovery codes? Ask an admin to reset your second factor.", "无法使用应用，也没有恢复码？请联系管理员重置双重验证。";
        step_back = "Log in as someone else", "使用其他账号登录";

        reset = "Reset second factor", "重置双重验证";
        was_reset = "The second factor is reset. This person is logged out, and logs in with the password only.", "双重验证已重置。对方已退出登录，登录只需密码。";
    }
}
