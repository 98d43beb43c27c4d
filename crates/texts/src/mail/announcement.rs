//! What a notification of an event says, in a mail and in the app.

use crate::texts;

texts! {
    /// Lines of notifications and of the mail with several of them.
    AnnouncementWords {
        published(title: &str) = "“{title}” was published.", "“{title}”已发布。";
        unpublished(title: &str) = "“{title}” was unpublished.", "“{title}”已撤下。";
        failed(title: &str) = "A task for “{title}” failed: see why, and retry it.", "“{title}”的任务失败：可查看原因并重试。";
        missed(title: &str) = "A task for “{title}” missed its time: run it now, or dismiss it.", "“{title}”的任务错过了时间：可立即执行或忽略。";
        held(title: &str) = "“{title}” is held by the review: it is published as soon as a reviewer approves it.", "“{title}”因审核而搁置：审核人批准后将立即发布。";
        held_because(title: &str) = "“{title}” is held by the review: see why.", "“{title}”因审核而搁置：可查看原因。";
        expires(title: &str, moment: &str) = "“{title}” will be unpublished soon: {moment}", "“{title}”即将撤下：{moment}";
        requested(title: &str, moment: &str) = "“{title}” ({moment}) waits for approval.", "“{title}”等待审批：{moment}。";
        confirmed(title: &str, moment: &str) = "“{title}” ({moment}) is confirmed.", "“{title}”已确认：{moment}。";
        rejected(title: &str, moment: &str) = "“{title}” ({moment}) was rejected.", "“{title}”未获批准：{moment}。";
        expired(title: &str, moment: &str) = "“{title}” ({moment}) expired: it was not approved in time.", "“{title}”未在期限内获批，已过期：{moment}。";
        no_room(title: &str, moment: &str) = "“{title}” ({moment}) expired: its room did not become free in time.", "“{title}”未等到会议室，已过期：{moment}。";
        cancelled(title: &str, moment: &str) = "“{title}” ({moment}) was cancelled.", "“{title}”已取消：{moment}。";
        released(title: &str, moment: &str) = "The room of “{title}” ({moment}) was released: no one checked in.", "“{title}”无人签到，会议室已释放：{moment}。";
        requested_by(who: &str, title: &str, moment: &str) = "{who} changed “{title}” ({moment}): it waits for approval.", "{who} 更改了“{title}”，现等待审批：{moment}。";
        confirmed_by(who: &str, title: &str, moment: &str) = "{who} confirmed “{title}” ({moment}).", "{who} 确认了“{title}”：{moment}。";
        rejected_by(who: &str, title: &str, moment: &str) = "{who} rejected “{title}” ({moment}).", "{who} 未批准“{title}”：{moment}。";
        cancelled_by(who: &str, title: &str, moment: &str) = "{who} cancelled “{title}” ({moment}).", "{who} 取消了“{title}”：{moment}。";
        before(moment: &str) = "Before: {moment}", "原为：{moment}";
        reason(reason: &str) = "Reason: {reason}", "原因：{reason}";
        many_requested(count: usize, title: &str) = "{count} meetings wait for approval; the last one is “{title}”.", "{count} 个会议等待审批，最后一个是“{title}”。";
        many_decided(count: usize, outcomes: &str, title: &str) = "{count} of your meetings changed: {outcomes}. The last one is “{title}”.", "你的 {count} 个会议有变化：{outcomes}。最后一个是“{title}”。";
        count_requested(n: usize) = "{n} waiting for approval", "{n} 个等待审批";
        count_confirmed(n: usize) = "{n} confirmed", "{n} 个已确认";
        count_rejected(n: usize) = "{n} rejected", "{n} 个未获批准";
        count_expired(n: usize) = "{n} expired without a decision", "{n} 个无人处理而过期";
        count_no_room(n: usize) = "{n} expired without a room", "{n} 个未等到会议室";
        count_cancelled(n: usize) = "{n} cancelled", "{n} 个已取消";
        count_released(n: usize) = "{n} released without a check-in", "{n} 个无人签到而释放";
        many_out(count: usize, title: &str) = "{count} articles were published or unpublished; the last one is “{title}”.", "{count} 篇文章已发布或撤下，最后一篇是“{title}”。";
        many_failed(count: usize, title: &str) = "{count} tasks failed; the last one is for “{title}”.", "{count} 个任务失败，最后一个属于“{title}”。";
        many_missed(count: usize, title: &str) = "{count} tasks missed their time; the last one is for “{title}”.", "{count} 个任务错过了时间，最后一个属于“{title}”。";
        many_expire(count: usize, title: &str) = "{count} articles will be unpublished within 24 hours; the last one is “{title}”.", "{count} 篇文章将在 24 小时内撤下，最后一篇是“{title}”。";
        new_browser(browser: &str, address: &str, moment: &str) = "Your account was used to log in from a new browser: {browser}, address {address}, {moment}.", "你的账号在新浏览器登录：{browser}，地址 {address}，{moment}。";
        password_changed(moment: &str) = "The password of your account was changed: {moment}.", "你的账号密码已更改：{moment}。";
        token_created(name: &str, moment: &str) = "A token was created for your account: “{name}”, {moment}.", "你的账号新建了令牌“{name}”：{moment}。";
        token_expires(name: &str, moment: &str) = "Your token “{name}” expires: {moment}. Create another one for the program that uses it.", "你的令牌“{name}”将于 {moment} 到期，请为使用它的程序创建新令牌。";
        factor_added(moment: &str) = "A second factor was added to your account: {moment}.", "你的账号启用了双重验证：{moment}。";
        factor_removed(moment: &str) = "The second factor of your account was removed: {moment}.", "你的账号停用了双重验证：{moment}。";
        factor_reset(moment: &str) = "An admin reset the second factor of your account: {moment}. Log-ins ask for the password only until you add one again.", "管理员重置了你账号的双重验证：{moment}。重新启用之前，登录只需密码。";
        codes_renewed(moment: &str) = "New recovery codes were created for your account: {moment}.", "你的账号生成了新的恢复码：{moment}。";
        code_used(moment: &str) = "A recovery code of your account was used to log in: {moment}.", "你的账号使用恢复码登录：{moment}。";
        passkey_added(moment: &str) = "A passkey was added to your account: {moment}.", "你的账号添加了通行密钥：{moment}。";
        passkey_removed(moment: &str) = "A passkey of your account was removed: {moment}.", "你的账号移除了通行密钥：{moment}。";
        passkeys_reset(moment: &str) = "An admin removed the passkeys of your account: {moment}. Log-ins need the password until you add one again.", "管理员移除了你账号的通行密钥：{moment}。重新添加之前，请用密码登录。";
        password_off(moment: &str) = "The password of your account no longer logs in, only your passkeys do: {moment}.", "你的账号已停用密码登录，只能使用通行密钥：{moment}。";
        password_on(moment: &str) = "The password of your account logs in again: {moment}.", "你的账号已恢复密码登录：{moment}。";
        identity_linked(name: &str, moment: &str) = "A sign-in with {name} was linked to your account: {moment}. If this was not you, remove it in your profile too.", "你的账号关联了{name}登录：{moment}。如果不是你本人，也请在个人资料中移除。";
        identity_removed(moment: &str) = "A linked sign-in of your account was removed: {moment}.", "你的账号移除了一个登录方式：{moment}。";
        not_you = "If this was not you: change your password. This ends all other sessions and tokens.", "如果不是你本人：请更改密码，其他会话和令牌随即失效。";
        many_access(count: usize) = "Your account was used in new browsers, or its password, second factor, passkeys or tokens changed: {count} times. If this was not you: change your password.", "你的账号在新浏览器登录，或密码、双重验证、通行密钥、令牌有变动，共 {count} 次。如果不是你本人：请更改密码。";
        undo_here = "Undo:", "撤销：";
        subject(count: usize) = "{count} notifications", "{count} 条通知";
        choose = "Choose what you are notified of:", "选择接收哪些通知：";
    }
}

impl AnnouncementWords {
    /// What was done with the access of the account, and what to do if it was someone else.
    pub fn access(self, verb: &str, [browser, address, name]: [&str; 3], moment: &str) -> String {
        let text = match verb {
            // This was nothing that the account did.
            "token_expires" => return self.token_expires(name, moment),
            "log_in" => self.new_browser(browser, address, moment),
            "add_second_factor" => self.factor_added(moment),
            "remove_second_factor" => self.factor_removed(moment),
            "reset_second_factor" => self.factor_reset(moment),
            "renew_recovery_codes" => self.codes_renewed(moment),
            "use_recovery_code" => self.code_used(moment),
            "add_passkey" => self.passkey_added(moment),
            "remove_passkey" => self.passkey_removed(moment),
            "reset_passkeys" => self.passkeys_reset(moment),
            "turn_password_off" => self.password_off(moment),
            "turn_password_on" => self.password_on(moment),
            "create_token" => self.token_created(name, moment),
            "link_identity" => self.identity_linked(name, moment),
            "unlink_identity" => self.identity_removed(moment),
            _ => self.password_changed(moment),
        };
        format!("{text}\n{}", self.not_you())
    }
}
