//! Texts of groups of accounts.

use crate::texts;

texts! {
    /// Texts of groups of accounts.
    GroupTexts {
        title = "Groups", "小组";
        lead = "Named sets of people. Reviewers are asked and people are invited by group: each member that it has at that moment, one by one.", "为一组成员命名。可按小组请人审核或邀请参会：逐个请当时的每位成员。";
        none = "There is no group yet.", "还没有小组。";
        none_hint = "Create one for people who are often asked or invited together.", "为经常一起审核或参会的成员创建小组。";
        no_members = "No members.", "没有成员。";
        comma = ", ", "、";
        disabled(name: &str) = "{name} (disabled)", "{name}（已停用）";
        counts(members: usize, reviewers: usize) = "Members: {members}. May review: {reviewers}.", "成员 {members} 人，其中可审核 {reviewers} 人。";
        new_group = "New group", "新建小组";
        name(max: usize) = "Name (at most {max} characters)", "名称（最多 {max} 字）";
        members = "Members", "成员";
        create = "Create group", "创建小组";
        change = "Change…", "更改…";
        change_of(name: &str) = "Change group {name}", "更改小组{name}";
        save = "Save group", "保存小组";
        delete_open = "Delete…", "删除…";
        delete_of(name: &str) = "Delete group {name}", "删除小组{name}";
        delete_hint(n: usize) = "Its {n} members stay on the desk. Those who were asked or invited through it stay asked and invited. It is no longer offered for reviews and meetings.", "{n} 位成员仍在工作台中；已请的审核人和已发的邀请不变。审核和会议中不再提供此小组。";
        delete = "Delete group", "删除小组";
        created = "The group is created.", "小组已创建。";
        saved = "The group is saved.", "小组已保存。";
        deleted = "The group is deleted. What was asked and invited stays.", "小组已删除，已请的审核和已发的邀请不变。";
    }
}
