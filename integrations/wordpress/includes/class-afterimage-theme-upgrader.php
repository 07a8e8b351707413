<?php
/**
 * WordPress' upgrader of themes with a maintenance mode of ours.
 *
 * @package Afterimage
 */

/**
 * A kill in an update leaves the site in maintenance for two minutes rather than ten.
 */
class Afterimage_Theme_Upgrader extends Theme_Upgrader {

	/**
	 * Begins or ends the maintenance mode.
	 *
	 * @param bool $enable Which of them.
	 */
	public function maintenance_mode( $enable = false ) {
		if ( $enable ) {
			Afterimage_Maintenance::begin( ABSPATH . '.maintenance', time() );
		} else {
			Afterimage_Maintenance::end( ABSPATH . '.maintenance' );
		}
	}
}
