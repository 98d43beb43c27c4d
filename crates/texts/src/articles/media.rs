//! Texts of the media library.

use crate::texts;

texts! {
    /// Texts of the media library.
    MediaTexts {
        title = "Media", "媒体";
        lead = "Pictures and files for articles. A file becomes public with the first public article that uses it.", "文章使用的图片和文件。使用它的文章公开后，文件才会公开。";
        upload = "Upload a file", "上传文件";
        file = "File", "文件";
        file_hint = "PNG, JPEG, WebP or GIF up to 50 million pixels, PDF or audio; at most 20 MiB. The location and other metadata are removed from pictures.", "PNG、JPEG、WebP 或 GIF（最多 5000 万像素）、PDF 或音频，最大 20 MiB。图片中的位置等元数据会被移除。";
        alt = "What the picture shows (alternative text)", "图片内容（替代文字）";
        alt_hint = "For people who cannot see it. Leave it empty if the picture is only decoration.", "供看不到图片的人使用。若图片仅作装饰，请留空。";
        upload_button = "Upload", "上传";
        find = "Find by name or alternative text", "按名称或替代文字查找";
        find_button = "Find", "查找";
        none = "No files yet.", "还没有文件。";
        none_hint = "Upload a picture above, then insert it into an article.", "请在上方上传图片，然后插入文章。";
        none_found = "No files found.", "未找到文件。";
        none_found_hint = "No name or alternative text contains this. Change or clear the search.", "没有名称或替代文字包含此内容。请更改或清除查找。";
        clear = "Clear the search", "清除查找";
        usage(used: String, quota: String) = "{used} of {quota} are used.", "已使用 {used}，共 {quota}。";
        usage_full(used: String, quota: String) = "{used} of {quota} are used: uploads are refused. Delete files or raise the limit.", "已使用 {used}，共 {quota}：无法继续上传。请删除文件或提高上限。";
        quota = "Limit for all files (MiB)", "所有文件的上限（MiB）";
        quota_button = "Set limit", "设置上限";
        no_alt = "No alternative text", "无替代文字";
        unused = "Not used", "未使用";
        used_in(count: u64) = "Used in {count} articles", "用于 {count} 篇文章";
        used_in_one = "Used in 1 article", "用于 1 篇文章";
        pixels(width: u32, height: u32) = "{width} × {height} pixels", "{width} × {height} 像素";
        facts = "File", "文件信息";
        name = "Name", "名称";
        kind = "Type", "类型";
        size = "Size", "大小";
        uploaded(who: String, when: String) = "Uploaded by {who} on {when}.", "由 {who} 于 {when} 上传。";
        insert = "Insert into an article", "插入文章";
        insert_hint = "Copy this text and paste it where the picture should appear.", "复制此文本，粘贴到要放置图片的位置。";
        markdown = "Markdown", "Markdown";
        address = "Address", "地址";
        address_hint = "To make it the cover of an article, paste it into Details, Cover.", "如需用作文章封面，请粘贴到“详细信息”的“封面”中。";
        open = "Open the file", "打开文件";
        save_alt = "Save", "保存";
        where_used = "Where it is used", "使用位置";
        nowhere = "No article uses it. Only you and admins can see it.", "没有文章使用它，只有你和管理员可以看到。";
        is_public = "public", "已公开";
        is_scheduled = "scheduled", "已安排";
        is_draft = "draft", "草稿";
        is_older = "earlier revision", "早期修订版";
        on_site = "It is the logo or the icon of the public site, or its stylesheet uses it.", "它是公开网站的徽标或图标，或正被网站样式表使用。";
        replace = "Replace the file", "替换文件";
        replace_hint = "Its address stays: everything that uses it shows the new file. A picture of the same proportions fits best. The current file is kept until the next replacement.", "地址不变：所有使用处都会显示新文件。相同比例的图片最合适。当前文件会保留到下次替换。";
        replace_public = "What is public shows the new file at once, without another approval.", "已公开的内容会立即显示新文件，无需再次批准。";
        replace_with = "New file", "新文件";
        replace_confirm = "Replace it", "替换";
        put_back_hint = "The file before the last replacement is kept.", "上次替换前的文件已保留。";
        put_back = "Put the earlier file back", "恢复之前的文件";
        not_replaced_other = "Another account uploaded the same file: only an admin can replace it.", "其他账号也上传了同一文件，只有管理员可以替换。";
        not_replaced_on_site = "The public site shows it in its frame: only an admin can replace it.", "公开网站的框架使用了它，只有管理员可以替换。";
        not_replaced_reviewed = "Texts are reviewed here, and one that is public, scheduled or approved uses it: only admins can replace it, and reviewers where one approval is enough.", "此处的文章需要审核，且已公开、已安排或已批准的文章使用了它：只有管理员可以替换；只需一位审核人时，审核人也可以。";
        delete = "Delete", "删除";
        delete_hint = "The file and its smaller versions are removed and cannot be restored. Drafts that use it lose the picture.", "文件及其较小版本将被移除且无法恢复。使用它的草稿将失去该图片。";
        delete_blocked = "It cannot be deleted while something public or scheduled uses it.", "有已公开或已安排的内容使用它时，无法删除。";
        delete_confirm = "Yes, delete it for good", "是的，永久删除";
        back = "All files", "全部文件";
        insert_picture = "Insert a picture", "插入图片";
        insert_picture_hint = "Opens a new tab with the text to insert. Your article stays here.", "会在新标签页中显示要插入的文本，文章仍保留在此处。";
        library = "Choose from the library", "从媒体库选择";
        pictures_and_files = "Pictures and files", "图片和文件";
        choose_picture = "Choose a picture", "选择图片";
        choose_cover = "Choose the cover", "选择封面";
        upload_files = "Upload files", "上传文件";
        loading = "Loading the files…", "正在加载文件…";
        shown(count: u64) = "Files: {count}", "文件：{count} 个";
        more = "Show more", "显示更多";
        again = "Try again", "重试";
        upload_first = "Upload one, or drop it into the text.", "请上传文件，或将其拖入正文。";
        no_pictures = "No pictures yet.", "还没有图片。";
    }
}

texts! {
    /// Results of changes of files.
    MediaResultTexts {
        uploaded = "The file is stored.", "文件已存储。";
        saved = "The alternative text is saved.", "替代文字已保存。";
        replaced = "The file is replaced.", "文件已替换。";
        put_back = "The earlier file is back.", "已恢复之前的文件。";
        deleted = "The file is deleted.", "文件已删除。";
        quota_set = "The limit is set.", "上限已设置。";
    }
}
