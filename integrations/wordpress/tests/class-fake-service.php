<?php
/**
 * A service that answers from an array.
 *
 * @package Afterimage
 */

/**
 * Answers as the REST API does. Answers to some requests can be given in advance.
 */
class Fake_Service implements Afterimage_Transport {

	const URL = 'https://afterimage.example.com';

	/**
	 * Answers by “METHOD path” in the order they are given, each a status and a body or a failure. The last one is given for ever.
	 *
	 * @var array
	 */
	public $script = array();

	/**
	 * Decisions of the gate by the number of the run after an update, starting at 0; “keep” where there is none.
	 *
	 * @var array
	 */
	public $decisions = array();

	/**
	 * The requests, as “METHOD path”.
	 *
	 * @var string[]
	 */
	public $asked = array();

	/**
	 * The bodies of requests, in the same order.
	 *
	 * @var array
	 */
	public $bodies = array();

	/**
	 * What was taken: the type of each batch by its id.
	 *
	 * @var array
	 */
	public $batches = array();

	/**
	 * Called with the type of a run that is started.
	 *
	 * @var callable|null
	 */
	public $on_take = null;

	/**
	 * Answers a request.
	 *
	 * @param array $request The request.
	 * @throws Exception If the request is not one of the API's.
	 */
	public function send( array $request ): array {
		$path           = preg_replace( '#^' . preg_quote( self::URL, '#' ) . '/api/v2|\?.*$#', '', $request['url'] );
		$route          = $request['method'] . ' ' . preg_replace( '#/batch-\d+#', '/{batch}', $path );
		$this->asked[]  = $route;
		$this->bodies[] = null === $request['body'] ? null : json_decode( $request['body'], true );
		if ( ! empty( $this->script[ $route ] ) ) {
			$next = count( $this->script[ $route ] ) > 1 ? array_shift( $this->script[ $route ] ) : $this->script[ $route ][0];
			if ( $next instanceof Exception ) {
				throw $next;
			}
			if ( null !== $next ) {
				return $next + array( 'retry_after' => '' );
			}
		}
		return self::json( 200, $this->answer( $route, $path ) );
	}

	/**
	 * An answer in JSON.
	 *
	 * @param int   $status Its status.
	 * @param array $body   Its body.
	 */
	public static function json( int $status, array $body ): array {
		return array(
			'status'      => $status,
			'body'        => json_encode( $body ),
			'retry_after' => '',
		);
	}

	/**
	 * The body that the service answers with.
	 *
	 * @param string $route The method and the path without ids.
	 * @param string $path  The path.
	 * @throws Exception If there is no such route.
	 */
	private function answer( string $route, string $path ): array {
		switch ( $route ) {
			case 'POST /screenshots/take':
				$id                   = 'batch-' . count( $this->batches );
				$type                 = end( $this->bodies )['sc_type'];
				$this->batches[ $id ] = $type;
				if ( null !== $this->on_take ) {
					call_user_func( $this->on_take, $type );
				}
				return array(
					'batch'              => $id,
					'batch_id'           => $id,
					'amount_screenshots' => 6,
					'groups'             => array( 'group' ),
					'meta'               => array( 'unpaired' => 0 ),
				);
			case 'GET /queues':
				return array(
					'data' => array(),
					'meta' => array(
						'status_counts' => array(
							'open'       => 0,
							'processing' => 0,
							'done'       => 6,
							'failed'     => 0,
						),
					),
				);
			case 'GET /batches/{batch}/gate':
				return array( 'data' => self::verdict( $this->decision( basename( dirname( $path ) ) ) ) );
			case 'PUT /batches/{batch}/update-results':
				return array( 'data' => array( 'id' => 'batch' ) );
			case 'GET /comparisons':
				return array( 'data' => array() );
		}
		throw new Exception( "no answer to $route" );
	}

	/**
	 * The decision about a batch.
	 *
	 * @param string $batch Its id.
	 */
	private function decision( string $batch ): string {
		$number = array_search( $batch, array_keys( $this->batches, 'post', true ), true );
		return $this->decisions[ $number ] ?? 'keep';
	}

	/**
	 * What the gate answers for a decision.
	 *
	 * @param string $decision The decision.
	 */
	public static function verdict( string $decision ): array {
		$reason = array(
			'kind'        => 'lost',
			'decision'    => $decision,
			'sentence'    => '2 pages answer with an error and did not before.',
			'pages'       => 2,
			'comparisons' => array(),
		);
		return array(
			'decision'    => $decision,
			'reasons'     => 'keep' === $decision ? array() : array( $reason ),
			'culprit'     => null,
			'comparisons' => array(),
		);
	}

	/**
	 * How often a route was asked.
	 *
	 * @param string $route As “METHOD path”.
	 */
	public function times( string $route ): int {
		return count( array_keys( $this->asked, $route, true ) );
	}
}
