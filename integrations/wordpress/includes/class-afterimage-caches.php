<?php
/**
 * Caches of pages and objects.
 *
 * @package Afterimage
 */

/**
 * Clears the caches of WordPress and of common cache plugins, by the functions and actions that these offer for it.
 */
class Afterimage_Caches {

	/**
	 * Functions that clear everything when called without arguments.
	 */
	const FUNCTIONS = array(
		'wp_cache_clear_cache',      // WP Super Cache.
		'w3tc_flush_all',            // W3 Total Cache.
		'rocket_clean_domain',       // WP Rocket.
		'wpfc_clear_all_cache',      // WP Fastest Cache.
		'sg_cachepress_purge_cache', // SiteGround Optimizer.
	);

	/**
	 * Actions that clear everything.
	 */
	const ACTIONS = array(
		'litespeed_purge_all',                // LiteSpeed Cache.
		'cache_enabler_clear_complete_cache', // Cache Enabler.
		'breeze_clear_all_cache',             // Breeze.
		'wphb_clear_page_cache',              // Hummingbird.
		'rt_nginx_helper_purge_all',          // Nginx Helper.
		'cachify_flush_cache',                // Cachify.
	);

	/**
	 * Static methods that clear everything.
	 */
	const METHODS = array(
		array( 'autoptimizeCache', 'clearall' ),
		array( 'comet_cache', 'clear' ),
	);

	/**
	 * Clears all of them. A cache plugin that fails is no reason to stop.
	 */
	public static function clear(): void {
		wp_cache_flush();
		foreach ( array_merge( self::FUNCTIONS, self::METHODS ) as $clear ) {
			if ( is_callable( $clear ) ) {
				self::attempt( $clear );
			}
		}
		foreach ( self::ACTIONS as $action ) {
			if ( has_action( $action ) ) {
				self::attempt(
					static function () use ( $action ) {
						// phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals.DynamicHooknameFound -- it is the other plugin's.
						do_action( $action );
					}
				);
			}
		}
		/**
		 * Clears caches that Afterimage does not know.
		 */
		do_action( 'afterimage_clear_caches' );
	}

	/**
	 * Calls something of another plugin.
	 *
	 * @param callable $clear What to call.
	 */
	private static function attempt( callable $clear ): void {
		try {
			call_user_func( $clear );
		} catch ( Throwable $thrown ) {
			unset( $thrown );
		}
	}
}
