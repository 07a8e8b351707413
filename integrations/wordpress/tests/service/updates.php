<?php
/**
 * Offers the updates of a scene, and keeps the site from everything else outside this machine.
 *
 * @package Afterimage
 */

add_filter(
	'pre_http_request',
	static function ( $answer, $request, $url ) {
		return '127.0.0.1' === wp_parse_url( $url, PHP_URL_HOST ) ? $answer : new WP_Error( 'blocked', "no request to $url" );
	},
	10,
	3
);
add_filter(
	'site_transient_update_plugins',
	static function ( $known ) {
		$known               = is_object( $known ) ? $known : new stdClass();
		$known->last_checked = time();
		$known->response     = array();
		foreach ( glob( ABSPATH . 'offers/*.zip' ) as $package ) {
			$slug = basename( $package, '.zip' );
			$file = WP_PLUGIN_DIR . "/$slug/$slug.php";
			if ( is_file( $file ) && false !== strpos( file_get_contents( $file ), 'Version: 1.0' ) ) {
				$known->response[ "$slug/$slug.php" ] = (object) array(
					'slug'        => $slug,
					'plugin'      => "$slug/$slug.php",
					'new_version' => '2.0',
					'package'     => $package,
					'url'         => '',
				);
			}
		}
		return $known;
	}
);
add_filter( 'pre_wp_mail', '__return_true' );
