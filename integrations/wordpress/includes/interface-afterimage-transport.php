<?php
/**
 * The way to the service.
 *
 * @package Afterimage
 */

/**
 * Sends one request. The tests have one of their own.
 */
interface Afterimage_Transport {

	/**
	 * Sends a request and returns the answer whatever its status.
	 *
	 * @param array $request With method, url, headers, body and timeout.
	 * @return array{status: int, body: string, retry_after: string}
	 * @throws Afterimage_Failure If there is no answer.
	 */
	public function send( array $request ): array;
}
