//! Words for messages that are held because a database server took over that lacks something.

use super::texts;

texts! {
    /// Words for messages that are held because a database server took over that lacks something.
    HeldWords {
        title = "A database server took over that lacks saved changes", "接管的数据库服务器缺少已保存的更改";
        why = "These changes were confirmed, and the new server never received them: ask whoever made them to make them again. What had gone out then goes out again. Messages are held: who receives them may know more than this desk.", "这些更改曾获确认，但新服务器从未收到：请相关人员重新操作。当时已发布的会再次发布。消息已搁置：收件方可能知道得更多。";
        release = "Go on without them: send messages", "不恢复，继续：开始发送消息";
        told(node: String, count: String, from: String, until: String, named: usize) = "{node} was told that {count} lines of the log are saved that are not there, from {from} to {until}. The first {named} of them (GET /api/v1/restore lists 1,000):", "节点 {node} 曾获确认的 {count} 条日志现已缺失，时间从 {from} 至 {until}。以下为前 {named} 条（GET /api/v1/restore 可列出 1,000 条）：";
    }
}
