<?php
/**
 * The service's REST API.
 *
 * @package Afterimage
 */

/**
 * Builds requests and reads answers; knows nothing of WordPress.
 */
class Afterimage_Client {

	const TIMEOUT   = 20;
	const PER_CALL  = 500;
	const MAX_WAKES = 7200;

	/**
	 * The address of the service.
	 *
	 * @var string
	 */
	private $url;

	/**
	 * The API token.
	 *
	 * @var string
	 */
	private $token;

	/**
	 * The way there.
	 *
	 * @var Afterimage_Transport
	 */
	private $transport;

	/**
	 * Makes a client.
	 *
	 * @param string               $url       The address of the service.
	 * @param string               $token     The API token.
	 * @param Afterimage_Transport $transport The way there.
	 */
	public function __construct( string $url, string $token, Afterimage_Transport $transport ) {
		$this->url       = $url;
		$this->token     = $token;
		$this->transport = $transport;
	}

	/**
	 * Reads the account, which shows whether the token is right.
	 */
	public function account(): array {
		return $this->data( $this->call( 'GET', '/account' ) );
	}

	/**
	 * Finds the website of a domain, or makes it with its two groups. Monitoring remains off: it would use checks that nobody asked for.
	 *
	 * @param string $domain Host, port and path.
	 * @param string $name   The name of the site, for its groups.
	 * @return array{website: string, group: string}
	 * @throws Afterimage_Failure If it is neither found nor made.
	 */
	public function website( string $domain, string $name ): array {
		$found = $this->call( 'GET', '/websites', array( 'domain' => $domain ) );
		if ( ! isset( $found['data'][0] ) ) {
			$group   = $this->create_group( $name, false );
			$website = $this->call(
				'POST',
				'/websites',
				array(),
				array(
					'domain'                    => $domain,
					'manual_detection_group_id' => $group,
					/* translators: %s: the name of the site. */
					'auto_detection_group_id'   => $this->create_group( sprintf( __( '%s (monitoring)', 'afterimage' ), $name ), true ),
				)
			);
			return array(
				'website' => $this->text( $this->data( $website ), 'id' ),
				'group'   => $group,
			);
		}
		$website = $found['data'][0];
		if ( empty( $website['manual_detection_group'] ) ) {
			throw new Afterimage_Failure( 'missing', __( 'The website no longer has a group for manual checks. Choose one in the dashboard of the service.', 'afterimage' ) );
		}
		return array(
			'website' => $this->text( $website, 'id' ),
			'group'   => $this->text( $website, 'manual_detection_group' ),
		);
	}

	/**
	 * Makes a group and returns its id.
	 *
	 * @param string $name       Its name.
	 * @param bool   $monitoring Whether it is the one for monitoring.
	 */
	private function create_group( string $name, bool $monitoring ): string {
		$answer = $this->call(
			'POST',
			'/groups',
			array(),
			array(
				'name'       => Afterimage_Text::cut( $name, 255 ),
				'cms'        => 'wordpress',
				'monitoring' => $monitoring,
				'enabled'    => ! $monitoring,
			)
		);
		return $this->text( $this->data( $answer ), 'id' );
	}

	/**
	 * Sends the pages of the site. Those that an earlier call sent and this one lacks are removed; pages added in the dashboard stay.
	 *
	 * @param string $domain     Host, port and path.
	 * @param string $collection A new UUID.
	 * @param array  $pages      With url, title and type.
	 */
	public function send_pages( string $domain, string $collection, array $pages ): void {
		foreach ( array_chunk( $pages, self::PER_CALL ) as $part ) {
			$urls = array();
			foreach ( $part as $page ) {
				$urls[ 'types%%' . $page['type'] ][] = array(
					'url'        => $page['url'],
					'html_title' => $page['title'],
				);
			}
			$this->call(
				'POST',
				'/sync-urls',
				array(),
				array(
					'domain'          => $domain,
					'collection_uuid' => $collection,
					'urls'            => $urls,
				)
			);
		}
		$this->call(
			'POST',
			'/start-sync',
			array(),
			array(
				'domain'              => $domain,
				'collection_uuid'     => $collection,
				'delete_missing_urls' => true,
			)
		);
	}

	/**
	 * Reads how far the service is with pages that were sent: collecting, started, done or failed.
	 *
	 * @param string $collection The UUID they were sent with.
	 */
	public function pages_state( string $collection ): string {
		return $this->text( $this->data( $this->call( 'GET', '/imports/' . rawurlencode( $collection ) ) ), 'state' );
	}

	/**
	 * Starts screenshots of all pages of a group.
	 *
	 * @param string $group  Its id.
	 * @param string $type   “pre” or “post”.
	 * @param string $source “manual” or “auto_update”.
	 * @return array{batch: string, screenshots: int, unpaired: int}
	 */
	public function take( string $group, string $type, string $source ): array {
		$answer = $this->call(
			'POST',
			'/screenshots/take',
			array(),
			array(
				'group_ids' => array( $group ),
				'sc_type'   => $type,
				'source'    => $source,
			)
		);
		return array(
			'batch'       => $this->text( $answer, 'batch_id' ),
			'screenshots' => (int) ( $answer['amount_screenshots'] ?? 0 ),
			'unpaired'    => (int) ( $answer['meta']['unpaired'] ?? 0 ),
		);
	}

	/**
	 * Counts the entries of a batch by status.
	 *
	 * @param string $batch Its id.
	 * @return array{open: int, processing: int, done: int, failed: int}
	 * @throws Afterimage_Failure If the answer has no counts.
	 */
	public function counts( string $batch ): array {
		$answer = $this->call(
			'GET',
			'/queues',
			array(
				'batch_id' => $batch,
				'per_page' => 1,
			)
		);
		$counts = array();
		foreach ( array( 'open', 'processing', 'done', 'failed' ) as $status ) {
			if ( ! isset( $answer['meta']['status_counts'][ $status ] ) ) {
				throw $this->unreadable();
			}
			$counts[ $status ] = (int) $answer['meta']['status_counts'][ $status ];
		}
		return $counts;
	}

	/**
	 * Asks what to do with the update that a batch followed.
	 *
	 * @param string $batch The id of the batch with the screenshots after it.
	 */
	public function gate( string $batch ): Afterimage_Verdict {
		$verdict = Afterimage_Verdict::read( $this->data( $this->call( 'GET', '/batches/' . rawurlencode( $batch ) . '/gate' ) ) );
		if ( null === $verdict ) {
			throw $this->unreadable();
		}
		return $verdict;
	}

	/**
	 * Stores the results of an update with the batch that followed it.
	 *
	 * @param string $batch   Its id.
	 * @param array  $results See Afterimage_Results.
	 */
	public function report( string $batch, array $results ): void {
		$this->call( 'PUT', '/batches/' . rawurlencode( $batch ) . '/update-results', array(), $results );
	}

	/**
	 * Lists comparisons of a batch, those with the largest difference first.
	 *
	 * @param string $batch Its id.
	 * @param int    $count How many at most.
	 */
	public function comparisons( string $batch, int $count ): array {
		$answer = $this->call(
			'GET',
			'/comparisons',
			array(
				'batches'        => $batch,
				'per_page'       => $count,
				'orderBy'        => 'difference_percent',
				'orderDirection' => 'desc',
			)
		);
		return is_array( $answer['data'] ?? null ) ? $answer['data'] : array();
	}

	/**
	 * Has the service call an address of the site each minute, so that scheduled tasks run although nobody visits it.
	 *
	 * @param string $url  The address.
	 * @param int    $from The time now, in Unix seconds.
	 */
	public function wake( string $url, int $from ): void {
		$this->call(
			'POST',
			'/webhooks',
			array(),
			array(
				'url'        => $url,
				'event'      => 'wordpress_cron',
				'expires_at' => gmdate( 'Y-m-d H:i:s', $from + self::MAX_WAKES - 60 ),
			)
		);
	}

	/**
	 * The page of a run in the dashboard of the service.
	 *
	 * @param string $batch Its id.
	 */
	public function link( string $batch ): string {
		return $this->url . '/runs/' . rawurlencode( $batch );
	}

	/**
	 * Builds a request.
	 *
	 * @param string     $method The method.
	 * @param string     $path   The path below /api/v2.
	 * @param array      $query  Parameters of the query.
	 * @param array|null $body   To be sent as JSON.
	 */
	public function request( string $method, string $path, array $query = array(), ?array $body = null ): array {
		$request = array(
			'method'  => $method,
			'url'     => $this->url . '/api/v2' . $path . ( $query ? '?' . http_build_query( $query, '', '&' ) : '' ),
			'headers' => array(
				'Authorization' => 'Bearer ' . $this->token,
				'Accept'        => 'application/json',
				// Tells the service to look at websites that no other tool manages.
				'x-wcd-plugin'  => 'afterimage-wordpress',
			),
			'body'    => null,
			'timeout' => self::TIMEOUT,
		);
		if ( null !== $body ) {
			$request['headers']['Content-Type'] = 'application/json';
			// phpcs:ignore WordPress.WP.AlternativeFunctions.json_encode_json_encode -- texts were made valid before.
			$request['body'] = json_encode( $body, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE );
		}
		return $request;
	}

	/**
	 * Sends a request and reads its answer.
	 *
	 * @param string     $method The method.
	 * @param string     $path   The path below /api/v2.
	 * @param array      $query  Parameters of the query.
	 * @param array|null $body   To be sent as JSON.
	 * @throws Afterimage_Failure If it did not succeed.
	 */
	private function call( string $method, string $path, array $query = array(), ?array $body = null ): array {
		$answer = $this->transport->send( $this->request( $method, $path, $query, $body ) );
		$status = $answer['status'];
		$read   = json_decode( $answer['body'], true );
		if ( $status >= 200 && $status < 300 ) {
			if ( ! is_array( $read ) ) {
				throw $this->unreadable();
			}
			return $read;
		}
		$said = is_array( $read ) && is_string( $read['message'] ?? null ) ? $read['message'] : '';
		throw $this->failure( $status, str_replace( $this->token, '…', $said ), $answer['retry_after'] ?? '' );
	}

	/**
	 * The failure that a status means.
	 *
	 * @param int    $status      The status of the answer.
	 * @param string $said        What the service said about it.
	 * @param string $retry_after How long it asks to wait.
	 */
	private function failure( int $status, string $said, string $retry_after ): Afterimage_Failure {
		$known = array(
			401 => array( 'refused', __( 'The service does not accept the API token. Connect the site again with a valid one.', 'afterimage' ) ),
			402 => array( 'exhausted', __( 'The account has no checks left.', 'afterimage' ) ),
			403 => array( 'refused', __( 'The API token is not allowed to do this. It needs the scopes RUN and MANAGE.', 'afterimage' ) ),
			404 => array( 'missing', __( 'The service does not know this run, group or website. Connect the site again if it was deleted there.', 'afterimage' ) ),
			409 => array( 'busy', __( 'The service cannot do this at the moment.', 'afterimage' ) ),
			422 => array( 'invalid', __( 'The service does not accept the request.', 'afterimage' ) ),
			429 => array( 'limited', __( 'The service is receiving too many requests. Wait a moment, then try again.', 'afterimage' ) ),
		);
		$wait  = ctype_digit( $retry_after ) ? min( (int) $retry_after, 3600 ) : 0;
		if ( isset( $known[ $status ] ) ) {
			list( $kind, $sentence ) = $known[ $status ];
			return new Afterimage_Failure( $kind, trim( $sentence . ' ' . $said ), $wait );
		}
		if ( $status >= 300 && $status < 400 ) {
			return new Afterimage_Failure( 'other', __( 'The service answers with a redirect. Connect the site again with the address that it leads to.', 'afterimage' ) );
		}
		/* translators: %d: the status of an HTTP answer, such as 502. */
		$sentence = sprintf( __( 'The service answers with an error (%d).', 'afterimage' ), $status );
		return new Afterimage_Failure( $status >= 500 ? 'broken' : 'other', trim( $sentence . ' ' . $said ), $wait );
	}

	/**
	 * The failure of an answer that is not what the API answers, such as the page of a proxy.
	 */
	private function unreadable(): Afterimage_Failure {
		return new Afterimage_Failure( 'unreadable', __( 'The server at the address of the service is not Afterimage, or a proxy in between replaces its answers. Check the address.', 'afterimage' ) );
	}

	/**
	 * The object in an answer.
	 *
	 * @param array $answer The answer.
	 * @throws Afterimage_Failure If there is none.
	 */
	private function data( array $answer ): array {
		if ( ! is_array( $answer['data'] ?? null ) ) {
			throw $this->unreadable();
		}
		return $answer['data'];
	}

	/**
	 * A text that an answer must have.
	 *
	 * @param array  $from The object.
	 * @param string $name Its member.
	 * @throws Afterimage_Failure If it is missing.
	 */
	private function text( array $from, string $name ): string {
		if ( ! is_string( $from[ $name ] ?? null ) || '' === $from[ $name ] ) {
			throw $this->unreadable();
		}
		return $from[ $name ];
	}
}
