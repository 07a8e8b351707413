<?php
/**
 * Finds the file of a class by its name, as the WordPress coding standards name both.
 *
 * @package Afterimage
 */

spl_autoload_register(
	static function ( $name ) {
		if ( 0 !== strpos( $name, 'Afterimage_' ) ) {
			return;
		}
		$file = strtolower( str_replace( '_', '-', $name ) ) . '.php';
		foreach ( array( 'class-', 'interface-' ) as $kind ) {
			if ( is_file( __DIR__ . '/' . $kind . $file ) ) {
				require_once __DIR__ . '/' . $kind . $file;
				return;
			}
		}
	}
);
