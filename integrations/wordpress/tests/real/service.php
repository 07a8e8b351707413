<?php
/**
 * A service within WordPress, updates to make, and kills.
 *
 * @package Afterimage
 */

add_filter(
	'pre_http_request',
	static function ( $answer, $request, $url ) {
		$api = 'https://afterimage.example.com/api/v2';
		if ( 0 !== strpos( $url, $api ) ) {
			return new WP_Error( 'blocked', "no request to $url" );
		}
		return array(
			'headers'  => array(),
			'body'     => wp_json_encode( afterimage_test_answer( $request, preg_replace( '/\?.*/', '', substr( $url, strlen( $api ) ) ) ) ),
			'response' => array(
				'code'    => 200,
				'message' => 'OK',
			),
			'cookies'  => array(),
			'filename' => null,
		);
	},
	10,
	3
);

/**
 * What the service answers.
 *
 * @param array  $request The request.
 * @param string $path    Its path below that of the API.
 */
function afterimage_test_answer( array $request, string $path ): array {
	$state = get_option( 'test_service', array() ) + array(
		'runs'      => 0,
		'decisions' => array(),
		'asked'     => array(),
	);

	$state['asked'][] = $request['method'] . ' ' . $path;
	$answer           = array( 'data' => array( 'id' => 'an-id' ) );
	if ( '/screenshots/take' === $path ) {
		$answer = array(
			'batch_id' => 'batch-' . $state['runs']++,
			'meta'     => array( 'unpaired' => 0 ),
		);
	} elseif ( '/websites' === $path && 'GET' === $request['method'] ) {
		$answer = array( 'data' => array() );
	} elseif ( '/queues' === $path ) {
		$answer = array( 'meta' => array( 'status_counts' => array_combine( array( 'open', 'processing', 'done', 'failed' ), array( 0, 0, 2, 0 ) ) ) );
	} elseif ( '/comparisons' === $path ) {
		$answer = array( 'data' => array( afterimage_test_comparison() ) );
	} elseif ( '/gate' === substr( $path, -5 ) ) {
		$decision = array_shift( $state['decisions'] ) ?? 'keep';
		$answer   = array(
			'data' => array(
				'decision'    => $decision,
				'reasons'     => 'keep' === $decision ? array() : array( array( 'sentence' => '1 page is <b>blank</b>.' ) ),
				'culprit'     => null,
				'comparisons' => array(),
			),
		);
	}
	update_option( 'test_service', $state, false );
	return $answer;
}

/**
 * A comparison whose title tries to run a script on the admin page.
 */
function afterimage_test_comparison(): array {
	return array(
		'id'                 => 'a-comparison',
		'link'               => 'https://afterimage.example.com/i/a.png',
		'public_link'        => 'https://afterimage.example.com/c/a',
		'html_title'         => '<script>alert(1)</script>',
		'url'                => 'example.com/',
		'device'             => 'desktop',
		'difference_percent' => 12.5,
	);
}

add_filter(
	'site_transient_update_plugins',
	static function ( $known ) {
		$known               = is_object( $known ) ? $known : new stdClass();
		$known->last_checked = time();
		$known->response     = array();
		foreach ( array( 'cart', 'forms' ) as $slug ) {
			$file = WP_PLUGIN_DIR . "/$slug/$slug.php";
			if ( is_file( $file ) && false !== strpos( file_get_contents( $file ), 'Version: 1.0' ) ) {
				$known->response[ "$slug/$slug.php" ] = (object) array(
					'slug'        => $slug,
					'plugin'      => "$slug/$slug.php",
					'new_version' => '2.0',
					'package'     => ABSPATH . "$slug-" . ( getenv( 'AFTERIMAGE_PACKAGE' ) ?: 'good' ) . '.zip',
					'url'         => '',
				);
			}
		}
		return $known;
	}
);
add_filter( 'pre_wp_mail', '__return_true' );

$afterimage_kill = (string) getenv( 'AFTERIMAGE_KILL' );
if ( ctype_digit( $afterimage_kill ) ) {
	$afterimage_writes = 0;
	$afterimage_count  = static function () use ( &$afterimage_writes, $afterimage_kill ) {
		if ( ++$afterimage_writes === (int) $afterimage_kill ) {
			posix_kill( getmypid(), SIGKILL );
		}
	};
	add_action( 'update_option_afterimage_journal', $afterimage_count );
} elseif ( '' !== $afterimage_kill ) {
	add_filter(
		$afterimage_kill,
		static function () {
			posix_kill( getmypid(), SIGKILL );
		}
	);
}
