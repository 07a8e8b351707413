<?php
/**
 * The admin page: Tools > Afterimage.
 *
 * @package Afterimage
 */

/**
 * Takes what the forms of the page send, and hooks the page into WordPress. Afterimage_Page shows it.
 */
class Afterimage_Admin {

	/**
	 * What the forms can ask for, with the capability that it needs. The token is settings; updates are more.
	 */
	const ACTIONS = array(
		'connect'    => 'manage_options',
		'disconnect' => 'manage_options',
		'settings'   => 'manage_options',
		'pages'      => 'manage_options',
		'before'     => 'manage_options',
		'after'      => 'manage_options',
		'dismiss'    => 'manage_options',
		'update'     => 'update_plugins',
		'take_back'  => 'update_plugins',
	);

	/**
	 * Hooks into WordPress.
	 */
	public static function hook(): void {
		add_action( 'admin_menu', array( __CLASS__, 'menu' ) );
		add_action( 'admin_notices', array( 'Afterimage_Notices', 'show' ) );
		foreach ( array_keys( self::ACTIONS ) as $name ) {
			add_action( "admin_post_afterimage_$name", array( __CLASS__, 'act' ) );
		}
	}

	/**
	 * Adds the page to the menu.
	 */
	public static function menu(): void {
		add_management_page( 'Afterimage', 'Afterimage', 'manage_options', 'afterimage', array( 'Afterimage_Page', 'show' ) );
	}

	/**
	 * Does what a form asks for, and leads back to the page with a sentence about it.
	 */
	public static function act(): void {
		$name = preg_replace( '/^admin_post_afterimage_/', '', current_action() );
		if ( ! isset( self::ACTIONS[ $name ] ) || ! current_user_can( 'manage_options' ) || ! current_user_can( self::ACTIONS[ $name ] ) ) {
			wp_die( esc_html__( 'You are not allowed to do this.', 'afterimage' ), '', array( 'response' => 403 ) );
		}
		check_admin_referer( "afterimage_$name" );
		try {
			$said = array( 'success', self::perform( $name ) );
		} catch ( Afterimage_Problem | Afterimage_Failure $thrown ) {
			$said = array( 'error', $thrown->getMessage() );
		}
		if ( '' !== $said[1] ) {
			set_transient( self::said(), $said, MINUTE_IN_SECONDS );
		}
		wp_safe_redirect( 'dismiss' === $name && wp_get_referer() ? wp_get_referer() : admin_url( 'tools.php?page=afterimage' ) );
		exit;
	}

	/**
	 * What the last form of this person led to, once: “success” or “error”, and a sentence; null for nothing.
	 */
	public static function last(): ?array {
		$said = get_transient( self::said() );
		delete_transient( self::said() );
		return is_array( $said ) ? $said : null;
	}

	/**
	 * The name of the transient with it.
	 */
	private static function said(): string {
		return 'afterimage_said_' . get_current_user_id();
	}

	/**
	 * Does what a form asks for.
	 *
	 * @param string $name See ACTIONS.
	 * @return string What to say.
	 * @throws Afterimage_Problem If it cannot be done now.
	 */
	private static function perform( string $name ): string {
		switch ( $name ) {
			case 'connect':
				$count = Afterimage_Plugin::connect( self::raw( 'address' ), self::raw( 'token' ) );
				/* translators: %d: a number. */
				return sprintf( __( 'The site is connected; pages sent: %d.', 'afterimage' ), $count );
			case 'disconnect':
				if ( null !== Afterimage_Plugin::journal()->get() ) {
					throw new Afterimage_Problem( __( 'A run is still in progress and needs the service. Disconnect when it has ended.', 'afterimage' ) );
				}
				delete_option( Afterimage_Plugin::CONNECTION );
				return __( 'The site is no longer connected. Revoke the token in the service if nothing else uses it.', 'afterimage' );
			case 'settings':
				update_option( Afterimage_Plugin::SETTINGS, array( 'automatic' => '1' === self::field( 'automatic' ) ), false );
				return __( 'Saved.', 'afterimage' );
			case 'pages':
				/* translators: %d: a number. */
				return sprintf( __( 'Pages sent: %d.', 'afterimage' ), Afterimage_WP_Pages::send( self::client(), Afterimage_Plugin::connection() ) );
			case 'before':
				Afterimage_Checks::before();
				return __( 'The before screenshots are being taken. Change the site when the run in the dashboard has ended.', 'afterimage' );
			case 'after':
				Afterimage_Runner::begin( Afterimage_Checks::after(), true );
				return __( 'The after screenshots are being taken. The result will be shown here.', 'afterimage' );
			case 'dismiss':
				Afterimage_Notices::dismiss( self::field( 'notice' ) );
				return '';
			case 'update':
				return self::update();
			default:
				return Afterimage_Runner::take_back( self::field( 'run' ), (int) self::field( 'item' ) );
		}
	}

	/**
	 * Begins the updates that were ticked.
	 *
	 * @return string What to say.
	 * @throws Afterimage_Problem If none was ticked, or this person may not update themes.
	 */
	private static function update(): string {
		// phpcs:ignore WordPress.Security.NonceVerification.Missing -- act() has verified it.
		$names         = isset( $_POST['items'] ) ? array_map( 'sanitize_text_field', (array) wp_unslash( $_POST['items'] ) ) : array();
		list( $items ) = Afterimage_Updates::named( Afterimage_Updates::all(), $names );
		if ( ! $items ) {
			throw new Afterimage_Problem( __( 'Select at least one plugin or theme to update.', 'afterimage' ) );
		}
		if ( in_array( 'theme', array_column( $items, 'kind' ), true ) && ! current_user_can( 'update_themes' ) ) {
			throw new Afterimage_Problem( __( 'You are not allowed to update themes.', 'afterimage' ) );
		}
		self::client();
		Afterimage_Runner::begin( Afterimage_Journal::begin( Afterimage_Plugin::connection()['group'], $items, 'manual', false, time() ), true );
		return __( 'The updates are installed one by one, each between screenshots. You can leave this page.', 'afterimage' );
	}

	/**
	 * The client.
	 *
	 * @throws Afterimage_Problem If the site is not connected.
	 */
	private static function client(): Afterimage_Client {
		$client = Afterimage_Plugin::client();
		if ( null === $client ) {
			throw new Afterimage_Problem( __( 'The site is not connected to a service yet.', 'afterimage' ) );
		}
		return $client;
	}

	/**
	 * A field of the form that was sent.
	 *
	 * @param string $name Its name.
	 */
	private static function field( string $name ): string {
		return sanitize_text_field( self::raw( $name ) );
	}

	/**
	 * A field as it was sent. Cleaning would remove parts of links, which Afterimage_Connection reads strictly.
	 *
	 * @param string $name Its name.
	 */
	private static function raw( string $name ): string {
		// phpcs:disable WordPress.Security -- act() has verified the nonce; see above.
		return isset( $_REQUEST[ $name ] ) && is_string( $_REQUEST[ $name ] ) ? trim( wp_unslash( $_REQUEST[ $name ] ) ) : '';
		// phpcs:enable
	}
}
