//! Why messages are held. Compiled for the server only.

use crate::texts::texts;

texts! {
    /// Why messages are held.
    DeliveryHoldTexts {
        restored_or_copied = "This desk was restored from a backup or copied. If the original desk still runs, all messages would be sent twice. Articles are published as usual.", "此工作台来自备份或副本：如果原工作台仍在运行，所有消息都会发送两次。文章照常发布。";
        lost_writes = "A database server took over that lacks confirmed changes. Make these changes again; publications made then are repeated. Messages are held, because receivers may know more than this desk. Articles are published as usual. GET /api/v1/restore lists up to 1,000 changes per node.", "接管的数据库服务器缺少曾确认保存的更改。请重新操作；当时已发布的会再次发布。消息已搁置，因为接收方知道的可能比此工作台更多。文章照常发布。GET /api/v1/restore 可列出每个节点最多 1,000 项更改。";
        lost_by_node(node: String, count: String, from: String, until: String) = "{node} lost {count}, {from} – {until}", "{node} 缺少 {count} 项，{from} – {until}";
        at_least(count: String) = "at least {count}", "至少 {count}";
        rest(count: String) = "and {count} more", "另有 {count} 项";
    }
}
