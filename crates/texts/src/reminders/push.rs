//! Texts of push messages.

use crate::texts;

texts! {
    /// Texts of the devices that show notifications.
    PushTexts {
        title = "On your devices", "在你的设备上";
        needs_script = "A device shows notifications while this page is closed. Turn it on here, on that device, with JavaScript.", "设备可在此页面关闭时显示通知。请在该设备上打开此页面并启用 JavaScript 后开启。";
        unsupported = "This browser cannot show notifications of this page. Use a current browser, and open the desk with https://; on an iPhone or iPad, add it to the home screen first.", "此浏览器无法显示此页面的通知。请使用较新的浏览器，并以 https:// 打开工作台；在 iPhone 或 iPad 上，请先将其添加到主屏幕。";
        blocked = "This browser blocks notifications of this page. Allow them in the settings of the browser, then reload this page.", "此浏览器已阻止此页面的通知。请在浏览器设置中允许，然后重新加载此页面。";
        turn_on = "Show notifications on this device", "在此设备上显示通知";
        is_on = "This device shows your notifications, also while the desk is closed.", "此设备会显示你的通知，工作台关闭时也会显示。";
        turn_off = "Stop on this device", "在此设备上停止";
        failed = "This device could not be changed. Notifications still appear on this page. Check the connection and try again.", "未能更改此设备。通知仍会显示在此页面。请检查网络连接后重试。";
        try_again = "Try again", "重试";
        added = "Added", "添加于";
        last_sent = "last notification", "最近一次通知";
        last_failed = "last failure", "最近一次失败";
        remove = "Remove", "移除";
        remove_of(agent: &str) = "Remove {agent}", "移除 {agent}";
        removed = "The device is removed. It shows no more notifications.", "设备已移除，不再显示通知。";
    }
}
