<?php
/**
 * The WordPress site that this plugin is on.
 *
 * @package Afterimage
 */

/**
 * Updates by WordPress' own upgraders.
 */
class Afterimage_WP_Site implements Afterimage_Site {

	/**
	 * Whether an update of ours is in progress in this process.
	 *
	 * @var bool
	 */
	public static $updating = false;

	/**
	 * The time now.
	 */
	public function now(): int {
		return time();
	}

	/**
	 * The folder of a plugin or theme.
	 *
	 * @param array $item Of a journal.
	 */
	public function folder( array $item ): string {
		return self::folder_of( $item );
	}

	/**
	 * The folder of a plugin or theme. That of a plugin of a single file is that file.
	 *
	 * @param array $item Of a journal.
	 */
	public static function folder_of( array $item ): string {
		if ( 'theme' === $item['kind'] ) {
			return get_theme_root( $item['id'] ) . '/' . $item['id'];
		}
		return WP_PLUGIN_DIR . '/' . ( false === strpos( $item['id'], '/' ) ? $item['id'] : dirname( $item['id'] ) );
	}

	/**
	 * The version that is installed, from the file itself.
	 *
	 * @param array $item Of a journal.
	 */
	public function version( array $item ): string {
		$file = 'theme' === $item['kind'] ? self::folder_of( $item ) . '/style.css' : WP_PLUGIN_DIR . '/' . $item['id'];
		clearstatcache();
		if ( ! is_readable( $file ) ) {
			return '';
		}
		$data = get_file_data( $file, array( 'version' => 'Version' ) );
		return (string) $data['version'];
	}

	/**
	 * The path of the file .maintenance.
	 */
	public function maintenance(): string {
		return ABSPATH . '.maintenance';
	}

	/**
	 * Updates a plugin or theme in the way of the Plugins page, under which an active plugin stays active.
	 *
	 * @param array $item Of a journal.
	 */
	public function upgrade( array $item ): array {
		self::load();
		if ( 'direct' !== get_filesystem_method( array(), WP_CONTENT_DIR ) ) {
			return array(
				'error'    => __( 'WordPress cannot write its files without FTP: update by hand.', 'afterimage' ),
				'messages' => array(),
			);
		}
		$skin           = new Automatic_Upgrader_Skin();
		self::$updating = true;
		try {
			$upgrader = 'theme' === $item['kind'] ? new Afterimage_Theme_Upgrader( $skin ) : new Afterimage_Plugin_Upgrader( $skin );
			$results  = $upgrader->bulk_upgrade( array( $item['id'] ) );
			$error    = self::error_in( is_array( $results ) ? ( $results[ $item['id'] ] ?? false ) : $results, $skin );
		} catch ( Throwable $thrown ) {
			$error = $thrown->getMessage();
		} finally {
			self::$updating = false;
		}
		$messages = array_values( array_filter( $skin->get_upgrade_messages(), 'is_string' ) );
		return array(
			'error'    => $error,
			'messages' => array_map( array( 'Afterimage_Text', 'plain' ), $messages ),
		);
	}

	/**
	 * The error that the result of an upgrader means; empty if it succeeded.
	 *
	 * @param mixed                   $result The result.
	 * @param Automatic_Upgrader_Skin $skin   What the upgrader told.
	 */
	private static function error_in( $result, Automatic_Upgrader_Skin $skin ): string {
		if ( is_wp_error( $result ) ) {
			return Afterimage_Text::plain( $result->get_error_message() );
		}
		if ( $result ) {
			return '';
		}
		$messages = array_filter( $skin->get_upgrade_messages(), 'is_string' );
		$last     = Afterimage_Text::plain( (string) end( $messages ) );
		return '' === $last ? __( 'WordPress could not install the update and gave no reason.', 'afterimage' ) : $last;
	}

	/**
	 * Loads what WordPress loads on its admin pages only.
	 */
	public static function load(): void {
		foreach ( array( 'file', 'misc', 'plugin', 'theme', 'update', 'class-wp-upgrader' ) as $file ) {
			require_once ABSPATH . 'wp-admin/includes/' . $file . '.php';
		}
	}

	/**
	 * Clears known caches.
	 */
	public function clear_caches(): void {
		Afterimage_Caches::clear();
	}

	/**
	 * Makes the web server run the files of an item as they are now.
	 *
	 * @param array $item Of a journal.
	 */
	public function refresh( array $item ): array {
		return Afterimage_Fresh::ask( array( $item ) );
	}

	/**
	 * Makes a plugin that was put back active again if it was, without running its code for it.
	 *
	 * @param array $item Of a journal.
	 */
	public function restored( array $item ): void {
		self::load();
		if ( 'plugin' === $item['kind'] ) {
			self::reactivate( $item );
			wp_clean_plugins_cache( false );
		} else {
			wp_clean_themes_cache( false );
		}
		foreach ( Afterimage_Folder::files( self::folder_of( $item ) ) as $file ) {
			wp_opcache_invalidate( $file );
		}
		Afterimage_Caches::clear();
	}

	/**
	 * Lists a plugin among the active ones again.
	 *
	 * @param array $item Of a journal.
	 */
	private static function reactivate( array $item ): void {
		if ( 'network' === $item['active'] ) {
			$active = (array) get_site_option( 'active_sitewide_plugins', array() );
			if ( ! isset( $active[ $item['id'] ] ) ) {
				$active[ $item['id'] ] = time();
				update_site_option( 'active_sitewide_plugins', $active );
			}
		} elseif ( 'site' === $item['active'] ) {
			$active = (array) get_option( 'active_plugins', array() );
			if ( ! in_array( $item['id'], $active, true ) ) {
				$active[] = $item['id'];
				update_option( 'active_plugins', $active );
			}
		}
	}

	/**
	 * What the guard noticed.
	 *
	 * @param string $run  The id of the run.
	 * @param array  $item Of its journal.
	 */
	public function noticed( string $run, array $item ): string {
		return Afterimage_Guard::noticed( $run, $item );
	}

	/**
	 * Tells by a notice on the admin pages and by mail.
	 *
	 * @param string $subject One line.
	 * @param string $text    What happened and what to do.
	 * @param string $link    Where to look; may be empty.
	 */
	public function tell( string $subject, string $text, string $link ): void {
		// While plugins are being loaded there is no mail yet; the notice has to do.
		if ( ! Afterimage_Notices::add( $subject, $text, $link, time() ) || ! function_exists( 'wp_mail' ) ) {
			return;
		}
		$site = wp_specialchars_decode( get_bloginfo( 'name' ), ENT_QUOTES );
		$body = $text . ( '' === $link ? '' : "\n\n" . $link ) . "\n\n" . admin_url( 'tools.php?page=afterimage' );
		wp_mail( get_option( 'admin_email' ), sprintf( '[%s] %s', $site, $subject ), $body );
	}
}
