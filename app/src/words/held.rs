//! Why messages are held. Only the server says it.

use super::texts;

texts! {
    /// Why messages are held. Only the server says it.
    HeldWords {
        copy = "This desk comes from a backup or a copy: if the desk it was made of still runs, everybody would be told everything twice. Articles go out all the same.", "此编辑台来自备份或副本：如果原编辑台仍在运行，所有人都会收到重复的消息。文章照常发布。";
        gap = "A database server took over that lacks changes people were told are saved. Ask whoever made them to make them again; what had gone out then goes out again. Messages are held, because whoever receives them may know more than this desk. Articles go out all the same. GET /api/v1/restore names up to 1,000 changes of each node.", "接管的数据库服务器缺少曾确认保存的更改。请相关人员重新操作；当时已发布的会再次发布。消息已搁置，因为收件方知道的可能比此编辑台更多。文章照常发布。GET /api/v1/restore 可列出每个节点最多 1,000 项更改。";
        told(node: String, count: String, from: String, until: String) = "{node} misses {count}, {from} – {until}", "{node} 缺少 {count} 项，{from} – {until}";
        at_least(count: String) = "at least {count}", "至少 {count}";
        rest(count: String) = "and {count} more", "另有 {count} 项";
    }
}
