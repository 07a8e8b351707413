<?php
/**
 * Plugin Name:       Afterimage
 * Description:       Takes screenshots before and after updates, compares them on your own Afterimage service, and takes back updates that damage the site.
 * Version:           0.1.0
 * Requires at least: 6.2
 * Requires PHP:      7.4
 * License:           GPL-2.0-or-later
 * License URI:       https://www.gnu.org/licenses/gpl-2.0.html
 * Text Domain:       afterimage
 *
 * @package Afterimage
 */

defined( 'ABSPATH' ) || exit;

define( 'AFTERIMAGE_VERSION', '0.1.0' );
define( 'AFTERIMAGE_FILE', __FILE__ );

require_once __DIR__ . '/includes/load.php';

Afterimage_Plugin::start();
