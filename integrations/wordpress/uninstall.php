<?php
/**
 * Removes everything that the plugin has stored.
 *
 * @package Afterimage
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

require_once __DIR__ . '/includes/load.php';

$afterimage_names = array( 'connection', 'settings', 'journal', 'history', 'notices', 'pages', 'check', 'guard', 'before_core', 'fresh' );
foreach ( $afterimage_names as $afterimage_name ) {
	delete_option( "afterimage_$afterimage_name" );
}
foreach ( array( 'afterimage_tick', 'afterimage_daily', 'afterimage_before_core' ) as $afterimage_name ) {
	wp_clear_scheduled_hook( $afterimage_name );
}
try {
	( new Afterimage_Backups( WP_CONTENT_DIR . '/afterimage-backup', '' ) )->remove_all();
} catch ( Afterimage_Problem $afterimage_problem ) {
	// A folder that cannot be removed is no reason to keep the plugin.
	unset( $afterimage_problem );
}
