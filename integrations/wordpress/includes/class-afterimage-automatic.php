<?php
/**
 * Automatic updates, and updates that others make.
 *
 * @package Afterimage
 */

/**
 * Makes the automatic updates of plugins and themes in place of WordPress, one by one, so that each can be taken back. WordPress itself
 * cannot be taken back: its update waits for screenshots from before, at most a day, and is judged afterwards.
 */
class Afterimage_Automatic {

	const CORE = 'afterimage_before_core';

	/**
	 * How old screenshots from before may be, and how long the update of WordPress waits for them, in seconds.
	 */
	const FRESH   = 6 * HOUR_IN_SECONDS;
	const PATIENT = DAY_IN_SECONDS;

	/**
	 * An update that was made by hand is judged if there are screenshots from before of the last hours.
	 */
	const RECENT = 12 * HOUR_IN_SECONDS;

	/**
	 * After how many seconds an update that failed is tried again.
	 */
	const AGAIN = WEEK_IN_SECONDS;

	/**
	 * Versions before updates of this request, by kind and id.
	 *
	 * @var array
	 */
	private static $versions = array();

	/**
	 * Hooks into WordPress.
	 */
	public static function hook(): void {
		add_filter( 'auto_update_plugin', array( __CLASS__, 'hold' ), 99 );
		add_filter( 'auto_update_theme', array( __CLASS__, 'hold' ), 99 );
		add_filter( 'auto_update_core', array( __CLASS__, 'hold_core' ), 99 );
		add_action( 'wp_maybe_auto_update', array( __CLASS__, 'begin' ), 5 );
		add_action( self::CORE, array( __CLASS__, 'before_core' ) );
		add_action( 'automatic_updates_complete', array( __CLASS__, 'complete' ) );
		add_filter( 'upgrader_pre_install', array( __CLASS__, 'note' ), 10, 2 );
		add_action( 'upgrader_process_complete', array( __CLASS__, 'updated' ), 10, 2 );
	}

	/**
	 * Keeps WordPress from updating what Afterimage is going to update. Null asks for the state to show, which stays.
	 *
	 * @param bool|null $update Whether WordPress would.
	 * @return bool|null
	 */
	public static function hold( $update ) {
		return $update && Afterimage_Plugin::automatic() ? false : $update;
	}

	/**
	 * Begins a run with the plugins and themes that are set to be updated automatically.
	 */
	public static function begin(): void {
		if ( ! Afterimage_Plugin::automatic() || null !== Afterimage_Plugin::journal()->get() ) {
			return;
		}
		Afterimage_WP_Site::load();
		require_once ABSPATH . 'wp-admin/includes/class-wp-automatic-updater.php';
		$updater = new WP_Automatic_Updater();
		if ( $updater->is_disabled() ) {
			return;
		}
		$items = array_values( array_filter( Afterimage_Updates::all(), array( __CLASS__, 'wanted' ) ) );
		if ( ! $items ) {
			return;
		}
		try {
			$group = Afterimage_Plugin::connection()['group'];
			Afterimage_Runner::begin( Afterimage_Journal::begin( $group, $items, 'auto_update', false, time() ), true );
		} catch ( Afterimage_Problem $problem ) {
			Afterimage_Notices::add( __( 'Automatic updates were not installed', 'afterimage' ), $problem->getMessage(), '', time() );
		}
	}

	/**
	 * Whether an update is to be made automatically: WordPress would, and it did no damage and did not fail before.
	 *
	 * @param array $item Of a journal.
	 */
	private static function wanted( array $item ): bool {
		$known = get_site_transient( 'theme' === $item['kind'] ? 'update_themes' : 'update_plugins' );
		$offer = (object) ( $known->response[ $item['id'] ] ?? array() );
		$list  = (array) get_site_option( "auto_update_{$item['kind']}s", array() );
		$on    = in_array( $item['id'], $list, true ) || ! empty( $offer->autoupdate );
		remove_filter( "auto_update_{$item['kind']}", array( __CLASS__, 'hold' ), 99 );
		// phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals.DynamicHooknameFound -- it is that of WordPress.
		$on = apply_filters( "auto_update_{$item['kind']}", $on, $offer );
		add_filter( "auto_update_{$item['kind']}", array( __CLASS__, 'hold' ), 99 );
		$too_new = ! empty( $offer->requires_php ) && ! is_php_version_compatible( $offer->requires_php );
		return $on && empty( $offer->disable_autoupdate ) && ! $too_new && ! self::tried( $item );
	}

	/**
	 * Whether a run has tried an update to this version and took it back, or failed not long ago.
	 *
	 * @param array $item Of a journal.
	 */
	private static function tried( array $item ): bool {
		foreach ( Afterimage_Plugin::history()->all() as $run ) {
			foreach ( $run['items'] as $other ) {
				$same   = $other['kind'] === $item['kind'] && $other['id'] === $item['id'] && $other['to'] === $item['to'];
				$failed = in_array( $other['state'], array( 'failed', 'skipped', 'stuck' ), true ) && time() - $run['ended'] < self::AGAIN;
				if ( $same && ( 'rolled_back' === $other['state'] || $failed ) ) {
					return true;
				}
			}
		}
		return false;
	}

	/**
	 * Lets the update of WordPress wait for screenshots from before, at most a day.
	 *
	 * @param bool|null $update Whether WordPress would update itself.
	 * @return bool|null
	 */
	public static function hold_core( $update ) {
		if ( ! $update || ! wp_doing_cron() || ! Afterimage_Plugin::automatic() ) {
			return $update;
		}
		$waits = get_option( self::CORE, null );
		$since = is_array( $waits ) ? $waits['since'] : time();
		$ready = is_array( $waits ) && $waits['ready'] && time() - $waits['at'] < self::FRESH;
		if ( $ready || time() - $since > self::PATIENT ) {
			return $update;
		}
		if ( ! is_array( $waits ) || $waits['ready'] ) {
			$waits = array(
				'since' => time(),
				'at'    => 0,
				'batch' => '',
				'ready' => false,
			);
			update_option( self::CORE, $waits, false );
		}
		if ( ! wp_next_scheduled( self::CORE ) ) {
			wp_schedule_single_event( time(), self::CORE );
		}
		return false;
	}

	/**
	 * Takes the screenshots before the update of WordPress, and lets it go on when they are there.
	 */
	public static function before_core(): void {
		$client = Afterimage_Plugin::client();
		$waits  = get_option( self::CORE, null );
		if ( null === $client || ! is_array( $waits ) || $waits['ready'] ) {
			return;
		}
		try {
			if ( '' === $waits['batch'] ) {
				Afterimage_Caches::clear();
				$waits['batch'] = $client->take( Afterimage_Plugin::connection()['group'], 'pre', 'auto_update' )['batch'];
				$waits['at']    = time();
			} else {
				$counts         = $client->counts( $waits['batch'] );
				$waits['ready'] = 0 === $counts['open'] + $counts['processing'];
			}
			update_option( self::CORE, $waits, false );
		} catch ( Afterimage_Failure $failure ) {
			// It is tried again until WordPress waits no longer.
			unset( $failure );
		}
		if ( $waits['ready'] ) {
			wp_schedule_single_event( time(), 'wp_maybe_auto_update' );
		} elseif ( time() - $waits['since'] < self::PATIENT ) {
			wp_schedule_single_event( time() + MINUTE_IN_SECONDS, self::CORE );
		}
	}

	/**
	 * Judges what WordPress has updated by itself.
	 *
	 * @param mixed $results By type: core, plugin, theme and translation.
	 */
	public static function complete( $results ): void {
		$items = array();
		foreach ( array( 'core', 'plugin', 'theme' ) as $kind ) {
			foreach ( is_array( $results ) ? $results[ $kind ] ?? array() : array() as $result ) {
				$items[] = self::item_of( $kind, $result );
			}
		}
		$waits = get_option( self::CORE, null );
		delete_option( self::CORE );
		$before = is_array( $waits ) && $waits['ready'] ? $waits['batch'] : ( Afterimage_Checks::latest( self::RECENT )['batch'] ?? '' );
		if ( $items && '' !== $before ) {
			self::observe( $items, 'auto_update', $before );
		}
	}

	/**
	 * The item of a result of WordPress' automatic updates.
	 *
	 * @param string $kind   “core”, “plugin” or “theme”.
	 * @param object $result With item, result, name and messages.
	 */
	private static function item_of( string $kind, $result ): array {
		$offer = $result->item;
		$id    = 'core' === $kind ? 'core' : (string) ( $offer->{ $kind } ?? '' );
		$to    = (string) ( $offer->new_version ?? $offer->current ?? '' );
		$from  = (string) ( self::$versions[ $kind . ' ' . $id ] ?? '' );
		$item  = Afterimage_Journal::item( $kind, $id, Afterimage_Text::plain( (string) $result->name ), $from, $to );
		if ( is_wp_error( $result->result ) ) {
			$item['error'] = Afterimage_Text::plain( $result->result->get_error_message() );
		} elseif ( ! $result->result ) {
			$item['error'] = __( 'The update failed.', 'afterimage' );
		}
		return $item;
	}

	/**
	 * Notes the version of what is about to be updated.
	 *
	 * @param mixed $go_on Not changed.
	 * @param mixed $what  What is updated.
	 * @return mixed
	 */
	public static function note( $go_on, $what ) {
		foreach ( array( 'plugin', 'theme' ) as $kind ) {
			if ( is_array( $what ) && isset( $what[ $kind ] ) && is_string( $what[ $kind ] ) ) {
				$item = Afterimage_Journal::item( $kind, $what[ $kind ], $what[ $kind ], '', '' );

				self::$versions[ $kind . ' ' . $what[ $kind ] ] = ( new Afterimage_WP_Site() )->version( $item );
			}
		}
		return $go_on;
	}

	/**
	 * Judges what a person has updated on the admin pages, if there are recent screenshots from before.
	 *
	 * @param object $upgrader Not used.
	 * @param mixed  $what     What was updated.
	 */
	public static function updated( $upgrader, $what ): void {
		unset( $upgrader );
		$before = Afterimage_Checks::latest( self::RECENT );
		$kind   = is_array( $what ) && 'update' === ( $what['action'] ?? '' ) ? $what['type'] ?? '' : '';
		$known  = in_array( $kind, array( 'plugin', 'theme' ), true );
		if ( ! $known || null === $before || Afterimage_WP_Site::$updating || wp_doing_cron() ) {
			return;
		}
		$items = array();
		foreach ( (array) ( $what[ $kind . 's' ] ?? $what[ $kind ] ?? array() ) as $id ) {
			$item         = Afterimage_Journal::item( $kind, (string) $id, (string) $id, (string) ( self::$versions[ "$kind $id" ] ?? '' ), '' );
			$item['to']   = ( new Afterimage_WP_Site() )->version( $item );
			$item['name'] = $item['slug'];
			$items[]      = $item;
		}
		if ( $items ) {
			self::observe( $items, 'manual', $before['batch'] );
		}
	}

	/**
	 * Begins a run that only judges. If another one is in progress, that judges the site anyway.
	 *
	 * @param array  $items  Of a journal.
	 * @param string $source “manual” or “auto_update”.
	 * @param string $before The id of the batch from before.
	 */
	private static function observe( array $items, string $source, string $before ): void {
		$connection = Afterimage_Plugin::connection();
		if ( null === $connection ) {
			return;
		}
		try {
			Afterimage_Runner::begin( Afterimage_Journal::observe( $connection['group'], $items, $source, $before, time() ), true );
		} catch ( Afterimage_Problem $problem ) {
			unset( $problem );
		}
	}
}
