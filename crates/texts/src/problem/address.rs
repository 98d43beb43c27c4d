//! What is wrong with the address of a receiver.

use crate::{Language, texts};
use domain::channel::AddressError;

texts! {
    /// Sentences about addresses.
    AddressTexts {
        unreadable = "is not valid; it must begin with https:// and a host name", "无效，应以 https:// 加域名开头";
        not_encrypted = "must begin with https://; the operator can allow http:// with --webhook-allow-http", "必须以 https:// 开头；可由运维人员用 --webhook-allow-http 放行 http://";
        holds_password = "must not contain a user name or a password", "不能包含用户名或密码";
        port = "must use port 443, 8443, or one from 1024 up", "端口必须是 443、8443 或 1024 以上";
        private = "is in a private network; the operator can allow that with --webhook-allow-private", "指向私有网络；可由运维人员用 --webhook-allow-private 放行";
        own = "is an address of this server itself", "指向本服务器";
        not_listed = "is not on the operator's list of hosts", "不在运维人员的主机名单上";
        not_a_server = "is not a host name; write it like mail.example.org", "不是有效的主机名，请写成 mail.example.org";
        not_a_broker = "is not the address of an AMQP broker; write it like amqps://mq.example.org", "不是有效的消息服务器网址，请写成 amqps://mq.example.org";
        open = "can be none only inside a private network, if the operator allows it", "仅在私有网络内、并经运维人员放行时才可不加密";
    }
}

/// What is wrong with an address.
pub fn address_problem(language: Language, why: AddressError) -> &'static str {
    let texts = AddressTexts(language);
    match why {
        AddressError::Unreadable => texts.unreadable(),
        AddressError::NotEncrypted => texts.not_encrypted(),
        AddressError::HoldsPassword => texts.holds_password(),
        AddressError::Port => texts.port(),
        AddressError::Private => texts.private(),
        AddressError::OwnAddress => texts.own(),
        AddressError::NotListed => texts.not_listed(),
        AddressError::NotAHostName => texts.not_a_server(),
        AddressError::NotABroker => texts.not_a_broker(),
        AddressError::Unencrypted => texts.open(),
    }
}
