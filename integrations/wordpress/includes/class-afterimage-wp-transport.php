<?php
/**
 * The way to the service through WordPress' HTTP API.
 *
 * @package Afterimage
 */

/**
 * Follows no redirects, since these would take the token elsewhere.
 */
class Afterimage_WP_Transport implements Afterimage_Transport {

	/**
	 * Sends a request.
	 *
	 * @param array $request With method, url, headers, body and timeout.
	 * @throws Afterimage_Failure If there is no answer.
	 */
	public function send( array $request ): array {
		$answer = wp_remote_request(
			$request['url'],
			array(
				'method'      => $request['method'],
				'headers'     => $request['headers'],
				'body'        => $request['body'],
				'timeout'     => $request['timeout'],
				'redirection' => 0,
				'user-agent'  => 'Afterimage for WordPress/' . AFTERIMAGE_VERSION,
			)
		);
		if ( is_wp_error( $answer ) ) {
			/* translators: %s: a technical message. */
			throw new Afterimage_Failure( 'unreachable', sprintf( __( 'The service cannot be reached: %s', 'afterimage' ), $answer->get_error_message() ) );
		}
		return array(
			'status'      => (int) wp_remote_retrieve_response_code( $answer ),
			'body'        => (string) wp_remote_retrieve_body( $answer ),
			'retry_after' => (string) wp_remote_retrieve_header( $answer, 'retry-after' ),
		);
	}
}
