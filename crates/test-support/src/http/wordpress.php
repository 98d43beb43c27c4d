<?php
// Creates the database and installs WordPress with its users. Prints their application passwords.
[, $site, $socket, $port] = $argv;
$database = new mysqli('localhost', 'root', '', '', 0, $socket);
$database->query('create database wordpress');
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = "127.0.0.1:$port";
$_SERVER['REQUEST_URI'] = '/';
// No mails.
function wp_mail() { return true; }
require "$site/wp-load.php";
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Blog', 'admin', 'admin@example.org', true, '', 'not used');
foreach (['author', 'contributor'] as $role) {
    $id = wp_insert_user(['user_login' => $role, 'user_pass' => 'not used', 'role' => $role, 'user_email' => "$role@example.org"]);
    [$password] = WP_Application_Passwords::create_new_application_password($id, ['name' => 'Presstime']);
    echo "$password\n";
}
