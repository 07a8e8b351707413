<?php
/**
 * Files as they are now.
 *
 * @package Afterimage
 */

/**
 * PHP keeps compiled files in memory, for some seconds or until it is told (opcache.revalidate_freq, opcache.validate_timestamps). After
 * an update by a command, screenshots would show the version before: a command has a memory of its own and cannot clear that of the web
 * server. So it asks the web server to read the files again.
 */
class Afterimage_Fresh {

	/**
	 * The request that is on its way: a hash of its token, since when, and the plugins and themes.
	 */
	const OPTION = 'afterimage_fresh';

	/**
	 * The name of the token in the request.
	 */
	const FIELD = 'afterimage_fresh';

	/**
	 * For how many seconds a token is good.
	 */
	const VALID = 60;

	/**
	 * The longest wait in seconds.
	 */
	const LONGEST = 60;

	/**
	 * Has the web server read the files of plugins and themes again.
	 *
	 * @param array $items Of a journal.
	 * @return array{seconds: int, problem: string} Seconds until it does, and why that is not certain; empty if it is.
	 */
	public static function ask( array $items ): array {
		if ( 'cli' !== PHP_SAPI && 'phpdbg' !== PHP_SAPI ) {
			return self::told( self::read( $items ), '' );
		}
		$token = bin2hex( random_bytes( 16 ) );
		update_option(
			self::OPTION,
			array(
				'hash'  => hash( 'sha256', $token ),
				'at'    => time(),
				'items' => $items,
			),
			false
		);
		$answer = wp_remote_post(
			admin_url( 'admin-ajax.php' ),
			array(
				'body'      => array( self::FIELD => $token ),
				'timeout'   => 10,
				// As WordPress calls its own scheduled tasks.
				// phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals.NonPrefixedHooknameFound -- it is WordPress' own.
				'sslverify' => apply_filters( 'https_local_ssl_verify', false ),
			)
		);
		delete_option( self::OPTION );
		$told = is_wp_error( $answer ) ? null : json_decode( wp_remote_retrieve_body( $answer ), true );
		if ( is_array( $told ) && isset( $told['seconds'] ) ) {
			return self::told( self::bounded( (int) $told['seconds'] ), '' );
		}
		return self::told( self::seconds(), __( 'This command could not ask the web server to read the files again. If the web server never does so by itself (opcache.validate_timestamps=0), the screenshots show the old version.', 'afterimage' ) );
	}

	/**
	 * What is told of a request.
	 *
	 * @param int    $seconds Seconds until the files are read again.
	 * @param string $problem Why that is not certain.
	 */
	private static function told( int $seconds, string $problem ): array {
		return array(
			'seconds' => $seconds,
			'problem' => $problem,
		);
	}

	/**
	 * Answers such a request, before other plugins are loaded.
	 */
	public static function answer(): void {
		// phpcs:ignore WordPress.Security.NonceVerification.Missing, WordPress.Security.ValidatedSanitizedInput -- the token is compared only.
		$token = $_POST[ self::FIELD ] ?? '';
		if ( ! is_string( $token ) || '' === $token ) {
			return;
		}
		$asked = get_option( self::OPTION, null );
		if ( ! is_array( $asked ) || time() - $asked['at'] > self::VALID || ! hash_equals( $asked['hash'], hash( 'sha256', $token ) ) ) {
			return;
		}
		header( 'Content-Type: application/json' );
		echo wp_json_encode( array( 'seconds' => self::read( $asked['items'] ) ) );
		exit;
	}

	/**
	 * Forgets the compiled files of plugins, themes or WordPress.
	 *
	 * @param array $items Of a journal.
	 * @return int Seconds until files are read again for certain.
	 */
	private static function read( array $items ): int {
		clearstatcache();
		foreach ( $items as $item ) {
			if ( 'core' === $item['kind'] ) {
				self::attempt( 'opcache_reset' );
			} elseif ( 'site' !== $item['kind'] ) {
				self::forget( Afterimage_WP_Site::folder_of( $item ) );
			}
		}
		return self::seconds();
	}

	/**
	 * Forgets the compiled files of a folder, or of a plugin of a single file.
	 *
	 * @param string $path The folder or file.
	 */
	private static function forget( string $path ): void {
		foreach ( is_file( $path ) ? array( $path ) : Afterimage_Folder::files( $path ) as $file ) {
			if ( '.php' === substr( $file, -4 ) ) {
				self::attempt( 'opcache_invalidate', $file, true );
			}
		}
	}

	/**
	 * Calls a function that servers may lack or forbid.
	 *
	 * @param string $name The function.
	 * @param mixed  ...$arguments Its arguments.
	 */
	private static function attempt( string $name, ...$arguments ): void {
		if ( function_exists( $name ) ) {
			// phpcs:ignore WordPress.PHP.NoSilencedErrors.Discouraged -- opcache.restrict_api forbids it with a warning.
			@$name( ...$arguments );
		}
	}

	/**
	 * After how many seconds PHP looks at files again.
	 */
	private static function seconds(): int {
		$setting = ini_get( 'opcache.revalidate_freq' );
		return self::bounded( ( false === $setting || '' === $setting ? 2 : (int) $setting ) + 1 );
	}

	/**
	 * A wait within bounds.
	 *
	 * @param int $seconds The wait.
	 */
	private static function bounded( int $seconds ): int {
		return max( 0, min( self::LONGEST, $seconds ) );
	}
}
