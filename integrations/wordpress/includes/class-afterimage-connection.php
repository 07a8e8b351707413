<?php
/**
 * Where the service is and the token to use it with.
 *
 * @package Afterimage
 */

/**
 * Reads what somebody pasted. The token is never part of a message.
 */
class Afterimage_Connection {

	/**
	 * Reads an address and a token, or a connection link, which is the address with the token as its fragment.
	 *
	 * @param string $address Such as https://afterimage.example.com or https://afterimage.example.com/#token=….
	 * @param string $token   The API token; empty if the address is a connection link.
	 * @return array{url: string, token: string}
	 * @throws Afterimage_Problem If something is missing or wrong.
	 */
	public static function read( string $address, string $token = '' ): array {
		list( $url, $fragment ) = array_pad( explode( '#', trim( $address ), 2 ), 2, '' );
		$token                  = trim( $token );
		if ( '' === $token ) {
			$token = self::token_of( $fragment );
		}
		$url = self::base_of( $url );
		if ( '' === $token ) {
			throw new Afterimage_Problem( __( 'The API token is missing. Paste it, or paste a connection link that contains it.', 'afterimage' ) );
		}
		if ( ! preg_match( '/^[\x21-\x7E]{8,512}$/', $token ) ) {
			throw new Afterimage_Problem( __( 'This is not an API token: it contains spaces or characters that tokens do not have.', 'afterimage' ) );
		}
		return array(
			'url'   => $url,
			'token' => $token,
		);
	}

	/**
	 * Reads the token in the fragment of a connection link: “token=…” or the token alone.
	 *
	 * @param string $fragment What follows the #.
	 */
	private static function token_of( string $fragment ): string {
		if ( false === strpos( $fragment, '=' ) ) {
			return rawurldecode( $fragment );
		}
		foreach ( explode( '&', $fragment ) as $pair ) {
			list( $name, $value ) = array_pad( explode( '=', $pair, 2 ), 2, '' );
			if ( 'token' === $name ) {
				return rawurldecode( $value );
			}
		}
		return '';
	}

	/**
	 * Reads the address of the service, without the path of its API.
	 *
	 * @param string $url As it was pasted.
	 * @throws Afterimage_Problem If it is no address, or would send the token unencrypted through the Internet.
	 */
	private static function base_of( string $url ): string {
		$url = trim( $url );
		if ( '' !== $url && ! preg_match( '#^[a-z][a-z0-9+.-]*://#i', $url ) ) {
			$url = 'https://' . $url;
		}
		// phpcs:ignore WordPress.WP.AlternativeFunctions.parse_url_parse_url -- works without WordPress, and PHP 7.4 needs no help with it.
		$parts = parse_url( $url );
		if ( ! is_array( $parts ) || empty( $parts['host'] ) || ! in_array( strtolower( $parts['scheme'] ), array( 'http', 'https' ), true ) ) {
			throw new Afterimage_Problem( __( 'This is not the address of a service. It looks like https://afterimage.example.com.', 'afterimage' ) );
		}
		if ( isset( $parts['user'] ) || isset( $parts['pass'] ) || isset( $parts['query'] ) ) {
			throw new Afterimage_Problem( __( 'The address of the service must not have a user, a password or a query.', 'afterimage' ) );
		}
		if ( 'http' === strtolower( $parts['scheme'] ) && ! self::near( $parts['host'] ) ) {
			throw new Afterimage_Problem( __( 'Use https://: over http:// the API token would be sent over the Internet unencrypted.', 'afterimage' ) );
		}
		$path = rtrim( preg_replace( '#/api(/v2)?/?$#', '', $parts['path'] ?? '' ), '/' );
		return strtolower( $parts['scheme'] . '://' . $parts['host'] ) . ( isset( $parts['port'] ) ? ':' . $parts['port'] : '' ) . $path;
	}

	/**
	 * Whether a host is this machine or in its own network, where a service without a certificate is usual.
	 *
	 * @param string $host A name or an address.
	 */
	private static function near( string $host ): bool {
		$host = trim( strtolower( $host ), '[]' );
		if ( false !== filter_var( $host, FILTER_VALIDATE_IP ) ) {
			return false === filter_var( $host, FILTER_VALIDATE_IP, FILTER_FLAG_NO_PRIV_RANGE | FILTER_FLAG_NO_RES_RANGE );
		}
		return false === strpos( $host, '.' ) || 1 === preg_match( '/\.(test|local|internal|localhost)$/', $host );
	}
}
