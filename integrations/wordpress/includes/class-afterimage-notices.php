<?php
/**
 * Notices on the admin pages.
 *
 * @package Afterimage
 */

/**
 * Keeps what the owner of the site should know until somebody dismisses it.
 */
class Afterimage_Notices {

	const OPTION = 'afterimage_notices';
	const LENGTH = 10;

	/**
	 * Adds a notice, unless the same was told before and is still there.
	 *
	 * @param string $subject One line.
	 * @param string $text    What happened and what to do.
	 * @param string $link    Where to look; may be empty.
	 * @param int    $time    In Unix seconds.
	 * @return bool Whether it is new.
	 */
	public static function add( string $subject, string $text, string $link, int $time ): bool {
		$id      = md5( $subject . "\n" . $text . "\n" . $link );
		$notices = self::all();
		if ( isset( $notices[ $id ] ) ) {
			return false;
		}
		$notices[ $id ] = compact( 'subject', 'text', 'link', 'time' );
		update_option( self::OPTION, array_slice( $notices, -self::LENGTH, null, true ), false );
		return true;
	}

	/**
	 * The notices, by id.
	 */
	public static function all(): array {
		$notices = get_option( self::OPTION, array() );
		return is_array( $notices ) ? $notices : array();
	}

	/**
	 * Removes a notice.
	 *
	 * @param string $id Its id.
	 */
	public static function dismiss( string $id ): void {
		$notices = self::all();
		unset( $notices[ $id ] );
		update_option( self::OPTION, $notices, false );
	}

	/**
	 * Shows the notices to those who may act on them.
	 */
	public static function show(): void {
		if ( ! current_user_can( 'manage_options' ) ) {
			return;
		}
		foreach ( self::all() as $id => $notice ) {
			$dismiss = wp_nonce_url( admin_url( 'admin-post.php?action=afterimage_dismiss&notice=' . rawurlencode( $id ) ), 'afterimage_dismiss' );
			echo '<div class="notice notice-warning"><p><strong>', esc_html( 'Afterimage: ' . $notice['subject'] ), '</strong></p>';
			echo '<p>', esc_html( $notice['text'] ), '</p><p>';
			if ( '' !== $notice['link'] ) {
				echo '<a href="', esc_url( $notice['link'] ), '">', esc_html__( 'View the run', 'afterimage' ), '</a> · ';
			}
			echo '<a href="', esc_url( $dismiss ), '">', esc_html__( 'Dismiss', 'afterimage' ), '</a></p></div>';
		}
	}
}
