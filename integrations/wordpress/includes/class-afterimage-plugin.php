<?php
/**
 * The plugin as a whole.
 *
 * @package Afterimage
 */

/**
 * Puts the parts together.
 */
class Afterimage_Plugin {

	const CONNECTION = 'afterimage_connection';
	const SETTINGS   = 'afterimage_settings';
	const JOURNAL    = 'afterimage_journal';
	const HISTORY    = 'afterimage_history';
	const DAILY      = 'afterimage_daily';

	/**
	 * For how long copies stay of updates that nobody decided about.
	 */
	const COPIES = 14 * DAY_IN_SECONDS;

	/**
	 * Hooks into WordPress.
	 */
	public static function start(): void {
		Afterimage_Fresh::answer();
		$journal = get_option( self::JOURNAL, null );
		Afterimage_Guard::watch( is_array( $journal ) ? $journal : null );
		Afterimage_Runner::hook();
		Afterimage_Automatic::hook();
		Afterimage_Admin::hook();
		add_action( self::DAILY, array( __CLASS__, 'daily' ) );
		add_filter( 'pre_update_option_active_plugins', array( __CLASS__, 'first' ) );
		register_activation_hook( AFTERIMAGE_FILE, array( __CLASS__, 'activate' ) );
		register_deactivation_hook( AFTERIMAGE_FILE, array( __CLASS__, 'deactivate' ) );
		if ( defined( 'WP_CLI' ) && WP_CLI ) {
			WP_CLI::add_command( 'afterimage', 'Afterimage_CLI' );
		}
	}

	/**
	 * Loads this plugin before others, so that it can act when one of them stops the request with an error.
	 *
	 * @param mixed $plugins The active plugins.
	 * @return mixed
	 */
	public static function first( $plugins ) {
		$own = plugin_basename( AFTERIMAGE_FILE );
		if ( is_array( $plugins ) && in_array( $own, $plugins, true ) ) {
			return array_merge( array( $own ), array_values( array_diff( $plugins, array( $own ) ) ) );
		}
		return $plugins;
	}

	/**
	 * Schedules the daily task.
	 */
	public static function activate(): void {
		if ( ! wp_next_scheduled( self::DAILY ) ) {
			wp_schedule_event( time() + HOUR_IN_SECONDS, 'daily', self::DAILY );
		}
	}

	/**
	 * Ends all scheduled tasks. A run that has not ended is taken up when the plugin is active again.
	 */
	public static function deactivate(): void {
		foreach ( array( self::DAILY, Afterimage_Runner::TICK, Afterimage_Automatic::CORE ) as $hook ) {
			wp_clear_scheduled_hook( $hook );
		}
	}

	/**
	 * Sends the pages as they are now, and removes copies that nobody needs any more.
	 */
	public static function daily(): void {
		$journal = self::journal()->get();
		self::backups()->tidy( null === $journal ? array() : array( $journal['id'] ), time() - self::COPIES );
		$client = self::client();
		if ( null === $client || null !== $journal ) {
			return;
		}
		try {
			Afterimage_WP_Pages::send( $client, self::connection() );
		} catch ( Afterimage_Failure $failure ) {
			// The pages of the day before remain.
			unset( $failure );
		}
	}

	/**
	 * Connects the site and sends its pages.
	 *
	 * @param string $address An address or a connection link.
	 * @param string $token   The API token; empty if it is in the link.
	 * @return int How many pages were sent.
	 */
	public static function connect( string $address, string $token ): int {
		$read   = Afterimage_Connection::read( $address, $token );
		$client = new Afterimage_Client( $read['url'], $read['token'], new Afterimage_WP_Transport() );
		$client->account();
		$domain     = Afterimage_Pages::domain( home_url() );
		$name       = wp_specialchars_decode( get_bloginfo( 'name' ), ENT_QUOTES );
		$connection = $read + $client->website( $domain, '' === $name ? $domain : $name ) + array( 'domain' => $domain );
		update_option( self::CONNECTION, $connection, false );
		self::activate();
		return Afterimage_WP_Pages::send( $client, $connection );
	}

	/**
	 * The connection; null if there is none.
	 */
	public static function connection(): ?array {
		$connection = get_option( self::CONNECTION, null );
		return is_array( $connection ) && ! empty( $connection['token'] ) ? $connection : null;
	}

	/**
	 * A client of the service; null if the site is not connected.
	 */
	public static function client(): ?Afterimage_Client {
		$connection = self::connection();
		return null === $connection ? null : new Afterimage_Client( $connection['url'], $connection['token'], new Afterimage_WP_Transport() );
	}

	/**
	 * Whether automatic updates are made by Afterimage.
	 */
	public static function automatic(): bool {
		$settings = get_option( self::SETTINGS, array() );
		return null !== self::connection() && (bool) ( is_array( $settings ) ? $settings['automatic'] ?? true : true );
	}

	/**
	 * The record of the run. Each request needs it, and it is there during runs only.
	 */
	public static function journal(): Afterimage_Store {
		return new Afterimage_Option_Store( self::JOURNAL, true );
	}

	/**
	 * The last runs.
	 */
	public static function history(): Afterimage_History {
		return new Afterimage_History( new Afterimage_Option_Store( self::HISTORY ) );
	}

	/**
	 * The copies. They are not in wp-content/upgrade, which WordPress empties before each update.
	 */
	public static function backups(): Afterimage_Backups {
		return new Afterimage_Backups( WP_CONTENT_DIR . '/afterimage-backup', WP_CONTENT_DIR . '/upgrade-temp-backup' );
	}

	/**
	 * The run; null if the site is not connected.
	 */
	public static function run(): ?Afterimage_Run {
		$client = self::client();
		if ( null === $client ) {
			return null;
		}
		/**
		 * The longest waits of a run in seconds.
		 *
		 * @param array $limits See Afterimage_Run::LIMITS.
		 */
		$limits = (array) apply_filters( 'afterimage_limits', Afterimage_Run::LIMITS );
		$limits = array_map( 'intval', $limits );
		return new Afterimage_Run( self::journal(), $client, new Afterimage_WP_Site(), self::backups(), self::history(), $limits );
	}
}
