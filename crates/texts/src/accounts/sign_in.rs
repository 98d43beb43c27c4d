//! Texts of the sign-in with providers of OpenID Connect.

use crate::{Language, texts};
use domain::accounts::sign_in::SignInProblem;

texts! {
    /// Texts of the settings of providers, of the log-in with them, and of the identities of an account.
    SignInTexts {
        title = "Sign-in", "单点登录";
        lead = "People log in with the accounts of your organisation (OpenID Connect). A person is what the provider calls them, never an e-mail address.", "成员使用组织的账号登录（OpenID Connect）。身份以提供方的用户标识为准，与邮箱地址无关。";
        none = "There is no provider yet.", "还没有登录提供方。";
        none_hint = "Add one, then enter the redirect address that is shown here at the provider.", "先在此添加，再把显示的重定向地址填到提供方。";
        new_provider = "New provider", "添加提供方";
        issuer = "Address of the provider (issuer)", "提供方地址（issuer）";
        issuer_hint = "As the provider names itself, for example https://id.example.org/realms/news. It cannot be changed later.", "与提供方自己的名称一致，例如 https://id.example.org/realms/news。之后不能更改。";
        name = "Name on the button", "按钮上的名称";
        client_id = "Client id", "客户端 ID";
        client_secret = "Client secret", "客户端密钥";
        secret_hint = "Stored encrypted. Leave empty if the provider asks for none.", "加密存储。提供方不要求时留空。";
        secret_kept = "Stored encrypted. Leave empty to keep it.", "加密存储。留空则保持不变。";
        scopes = "Scopes", "权限范围（scopes）";
        scopes_hint = "Separated by blanks, for example: openid profile email groups", "用空格分隔，例如：openid profile email groups";
        provisioning = "People without an account", "没有账号的人";
        for_none = "Get none: an account is linked in its profile", "不创建：在个人资料中关联已有账号";
        for_invited = "Get one with the link of an invitation", "通过邀请链接创建";
        for_group = "Get one with an invitation, or as members of this group", "通过邀请链接，或作为以下组的成员创建";
        member_group = "Group whose members get an account", "其成员可获得账号的组";
        group_claim = "Claim with the groups", "包含组的声明（claim）";
        group_claim_hint = "For example groups, or realm_access.roles", "例如 groups 或 realm_access.roles";
        roles = "Roles by group", "按组分配角色";
        roles_hint = "One per line: group = creator, reviewer or admin. Read again at each log-in; who is in none of them is a creator. Leave empty to set roles on this desk.", "每行一条：组 = creator、reviewer 或 admin。每次登录时重新读取；不在任何组中的人为 creator。留空则在本工作台设置角色。";
        groups = "Groups of the desk by group", "按组加入小组";
        groups_hint = "One per line: group = name of a group of this desk. Read again at each log-in.", "每行一条：组 = 本工作台小组的名称。每次登录时重新读取。";
        proves_both = "The provider proves both factors: this desk asks for no code", "提供方已验证双重因素：本工作台不再要求验证码";
        is_enabled = "People can log in with it", "可用于登录";
        add = "Add provider", "添加提供方";
        change = "Change…", "更改…";
        change_of(name: &str) = "Change provider {name}", "更改提供方{name}";
        save = "Save provider", "保存提供方";
        delete_open = "Delete…", "删除…";
        delete_of(name: &str) = "Delete provider {name}", "删除提供方{name}";
        delete_hint(n: i64) = "{n} accounts are linked. They stay, but can no longer log in with it, and the sessions that began with it end.", "已关联 {n} 个账号。账号保留，但不能再用它登录，由它开始的会话会结束。";
        delete = "Delete provider", "删除提供方";
        redirect_url = "Redirect address, to be entered at the provider", "重定向地址（填到提供方）";
        log_out_url = "Back-channel log-out address", "后端通道退出地址";
        off = "Switched off", "已停用";
        linked_accounts(n: i64) = "Linked accounts: {n}", "已关联账号：{n}";
        test = "Test", "测试";
        test_of(name: &str) = "Test provider {name}", "测试提供方{name}";
        works = "The provider answers, and its keys can be read.", "提供方有响应，密钥可以读取。";
        created = "The provider is added. Enter its redirect address at the provider, then test it.", "已添加提供方。请把重定向地址填到提供方，然后测试。";
        saved = "The provider is saved.", "提供方已保存。";
        deleted = "The provider is deleted.", "提供方已删除。";
        with(name: &str) = "Log in with {name}", "使用{name}登录";
        accept_with(name: &str) = "Accept with {name}", "使用{name}接受邀请";
        or = "or", "或";
        own_title = "Linked sign-ins", "已关联的登录方式";
        own_lead = "Log in with an account of your organisation instead of the password.", "使用组织的账号代替密码登录。";
        link_with(name: &str) = "Link {name}", "关联{name}";
        confirm_first = "Enter your password to link another one.", "请先输入密码，再关联新的登录方式。";
        confirm = "Continue", "继续";
        unlink = "Remove", "移除";
        unlink_of(name: &str) = "Remove {name}", "移除{name}";
        last_used = "Last used:", "上次使用：";
        linked = "The sign-in is linked.", "登录方式已关联。";
        unlinked = "The sign-in is removed, and the sessions that began with it have ended.", "登录方式已移除，由它开始的会话已结束。";
        line_wrong(line: usize) = "line {line} is not of the form: group = value", "第 {line} 行的格式应为：组 = 值";
        expired = "This sign-in has expired, was completed already, or began in another browser. Begin again.", "此次登录已过期、已完成，或在其他浏览器中开始。请重新开始。";
        denied = "The sign-in was refused at the provider. Try again, or log in with your password.", "提供方拒绝了登录。请重试，或使用密码登录。";
        provider_error = "The provider answered with an error. Try again later, or ask an admin.", "提供方返回错误。请稍后重试，或联系管理员。";
        unreachable = "The provider does not answer. Try again later, or log in with your password.", "提供方没有响应。请稍后重试，或使用密码登录。";
        not_encrypted = "An address of the provider does not begin with https://. Ask an admin to enter another one.", "提供方的地址不是以 https:// 开头。请联系管理员更改。";
        blocked = "An address of the provider is in a private network or not allowed. The operator can allow it.", "提供方的地址位于内部网络或未被允许。运维人员可以放行。";
        unreadable = "The answer of the provider cannot be read, or is too long.", "无法读取提供方的响应，或响应过长。";
        wrong_issuer = "The provider calls itself otherwise than the settings of this desk. Ask an admin to compare the address of the provider (issuer).", "提供方的名称与本工作台的设置不一致。请管理员核对提供方地址（issuer）。";
        wrong_audience = "The provider answered for another program. Ask an admin to compare the client id.", "提供方的响应针对其他程序。请管理员核对客户端 ID。";
        clock = "The clocks of the provider and of this server are apart. Ask an admin to set them.", "提供方与本服务器的时钟不一致。请管理员校准。";
        unknown_key = "The provider has no key that fits its signature. Try again in a minute.", "提供方没有与签名匹配的密钥。请一分钟后重试。";
        bad_signature = "The signature of the provider is not valid, or of a kind that is not accepted (RS256, ES256 and EdDSA are).", "提供方的签名无效，或不是可接受的类型（RS256、ES256、EdDSA）。";
        wrong_nonce = "The answer of the provider belongs to another sign-in. Begin again.", "提供方的响应属于另一次登录。请重新开始。";
        missing_claim = "The provider does not say who you are, your e-mail address or your groups. Ask an admin to compare scopes and claims.", "提供方没有给出身份、邮箱或组。请管理员核对权限范围和声明。";
        client_refused = "The provider refused client id or client secret. Ask an admin to enter them again.", "提供方拒绝了客户端 ID 或密钥。请管理员重新填写。";
        code_refused = "The provider refused to complete the sign-in. Ask an admin to compare the redirect address.", "提供方拒绝完成登录。请管理员核对重定向地址。";
        not_invited = "No account of this desk is linked with it. Ask an admin for an invitation; if you have an account, log in and link it in your profile.", "没有与之关联的账号。请向管理员索取邀请；已有账号时，请登录后在个人资料中关联。";
        not_in_group = "You are not in the group whose members may use this desk. Ask an admin.", "你不在可使用本工作台的组中。请联系管理员。";
        invitation_spent = "This invitation was used, withdrawn or has expired. Ask for a new one.", "此邀请已使用、已撤回或已过期。请索取新的邀请。";
        disabled = "Your account is disabled. Ask an admin.", "你的账号已停用。请联系管理员。";
        address_taken = "Another account of this desk has your e-mail address. Log in to it and link this sign-in in its profile.", "本工作台已有账号使用你的邮箱。请登录该账号，并在个人资料中关联。";
        linked_elsewhere = "This sign-in, or your account, is already linked otherwise. Remove that first.", "此登录方式或你的账号已有其他关联。请先移除。";
        passwords_off = "Log-ins with a password are switched off on this desk. Log in with a provider.", "本工作台已停用密码登录，请使用提供方登录。";
        only_way = "Your account has no password: without this sign-in you could not log in. Ask an admin for a link to set one.", "你的账号没有密码，移除后将无法登录。请向管理员索取设置密码的链接。";
    }
}

/// Why a sign-in failed, as a sentence.
#[must_use]
pub fn problem(language: Language, problem: SignInProblem) -> &'static str {
    let texts = SignInTexts(language);
    match problem {
        SignInProblem::Expired => texts.expired(),
        SignInProblem::Denied => texts.denied(),
        SignInProblem::ProviderError => texts.provider_error(),
        SignInProblem::Unreachable => texts.unreachable(),
        SignInProblem::NotEncrypted => texts.not_encrypted(),
        SignInProblem::Blocked => texts.blocked(),
        SignInProblem::Unreadable => texts.unreadable(),
        SignInProblem::WrongIssuer => texts.wrong_issuer(),
        SignInProblem::WrongAudience => texts.wrong_audience(),
        SignInProblem::Clock => texts.clock(),
        SignInProblem::UnknownKey => texts.unknown_key(),
        SignInProblem::BadSignature => texts.bad_signature(),
        SignInProblem::WrongNonce => texts.wrong_nonce(),
        SignInProblem::MissingClaim => texts.missing_claim(),
        SignInProblem::ClientRefused => texts.client_refused(),
        SignInProblem::CodeRefused => texts.code_refused(),
        SignInProblem::NotInvited => texts.not_invited(),
        SignInProblem::NotInGroup => texts.not_in_group(),
        SignInProblem::InvitationSpent => texts.invitation_spent(),
        SignInProblem::Disabled => texts.disabled(),
        SignInProblem::AddressTaken => texts.address_taken(),
        SignInProblem::LinkedElsewhere => texts.linked_elsewhere(),
        SignInProblem::PasswordsOff => texts.passwords_off(),
        SignInProblem::OnlyWay => texts.only_way(),
    }
}
