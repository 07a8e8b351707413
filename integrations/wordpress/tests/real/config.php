<?php
/**
 * The settings of the WordPress that is tried.
 *
 * @package Afterimage
 */

define( 'DB_NAME', 'wordpress' );
define( 'DB_USER', '' );
define( 'DB_PASSWORD', '' );
define( 'DB_HOST', '' );
define( 'DB_CHARSET', 'utf8' );
define( 'DB_COLLATE', '' );
define( 'DB_DIR', __DIR__ . '/wp-content/database/' );
define( 'DB_FILE', 'wordpress.sqlite' );
define( 'WP_DEBUG', true );
define( 'WP_DEBUG_LOG', __DIR__ . '/debug.log' );
define( 'WP_DEBUG_DISPLAY', ! getenv( 'AFTERIMAGE_HOME' ) );
define( 'DISABLE_WP_CRON', true );
define( 'FS_METHOD', 'direct' );
if ( getenv( 'AFTERIMAGE_HOME' ) ) { // a web server answers there
	define( 'WP_HOME', getenv( 'AFTERIMAGE_HOME' ) );
	define( 'WP_SITEURL', getenv( 'AFTERIMAGE_HOME' ) );
}
$table_prefix = 'wp_';
defined( 'ABSPATH' ) || define( 'ABSPATH', __DIR__ . '/' );
require_once ABSPATH . 'wp-settings.php';
