//! Words for messages that are held because a database server took over that lacks something.

use super::texts;

texts! {
    /// Words for messages that are held because a database server took over that lacks something.
    HeldWords {
        title = "Another database server has taken over, and lacks changes that were saved", "另一台数据库服务器已接管，但缺少部分已保存的更改";
        why = "The changes below were confirmed, and the server that took over never received them. Ask whoever made them to make them again; what had gone out then goes out again. Messages to the outside are held: whoever receives them may know more than this desk. Articles go out all the same.", "以下更改已获确认，但接管的服务器从未收到。请相关人员重新操作；当时已发布的内容会再次发布。对外消息已搁置：收件方知道的可能比此编辑台更多。文章照常发布。";
        release = "Go on without these changes: send messages", "不恢复这些更改，继续：开始发送消息";
        told(node: String, count: String, from: String, until: String, named: usize) = "{node} was told that {count} lines of the log are saved that are not there, from {from} to {until}. The first {named} of them (GET /api/v1/restore lists 1,000):", "节点 {node} 曾获确认的 {count} 条日志现已缺失，时间从 {from} 至 {until}。以下为前 {named} 条（GET /api/v1/restore 可列出 1,000 条）：";
    }
}
