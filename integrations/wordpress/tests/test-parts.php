<?php
/**
 * Tests of the parts that a run is made of.
 *
 * @package Afterimage
 */

/**
 * An address and a token, or a link with both, in the forms that people paste.
 */
function test_connections_are_read(): void {
	$cases = array(
		array( 'https://afterimage.example.com', 'abcdefgh1234', 'https://afterimage.example.com' ),
		array( ' afterimage.example.com/ ', ' abcdefgh1234 ', 'https://afterimage.example.com' ),
		array( 'https://afterimage.example.com/#token=abcdefgh1234', '', 'https://afterimage.example.com' ),
		array( 'https://afterimage.example.com/#a=b&token=abcdefgh1234', '', 'https://afterimage.example.com' ),
		array( 'https://Afterimage.example.com:8443/watch/api/v2/#abcdefgh1234', '', 'https://afterimage.example.com:8443/watch' ),
		array( 'http://127.0.0.1:8080/#abcdefgh1234', '', 'http://127.0.0.1:8080' ),
		array( 'http://[::1]:8080', 'abcdefgh1234', 'http://[::1]:8080' ),
		array( 'http://localhost:8080/api', 'abcdefgh1234', 'http://localhost:8080' ),
	);
	foreach ( $cases as list( $address, $token, $url ) ) {
		$read = Afterimage_Connection::read( $address, $token );
		same( $read, array( 'url' => $url, 'token' => 'abcdefgh1234' ), $address );
	}
}

/**
 * What is no connection is refused, in words without the token.
 */
function test_bad_connections_are_refused(): void {
	$cases = array(
		array( '', 'abcdefgh1234' ),
		array( 'https://', 'abcdefgh1234' ),
		array( 'ftp://afterimage.example.com', 'abcdefgh1234' ),
		array( 'javascript:alert(1)', 'abcdefgh1234' ),
		array( 'http://afterimage.example.com', 'abcdefgh1234' ),
		array( 'https://user:secret@afterimage.example.com', 'abcdefgh1234' ),
		array( 'https://afterimage.example.com?token=abcdefgh1234', 'abcdefgh1234' ),
		array( 'https://afterimage.example.com', '' ),
		array( 'https://afterimage.example.com#', '' ),
		array( 'https://afterimage.example.com#token=', '' ),
		array( 'https://afterimage.example.com', "abcdefgh\r\nX-Other: 1" ),
		array( 'https://afterimage.example.com', 'short' ),
	);
	foreach ( $cases as list( $address, $token ) ) {
		$problem = thrown(
			static function () use ( $address, $token ) {
				Afterimage_Connection::read( $address, $token );
			}
		);
		same( strpos( $problem->getMessage(), 'abcdefgh' ), false, $address );
	}
}

/**
 * A request has the token in its header and nowhere else.
 */
function test_requests_are_built(): void {
	$bench   = new Bench();
	$request = $bench->client()->request( 'POST', '/sync-urls', array( 'a' => 'b c' ), array( 'title' => "Café \xC3" ) );
	same( $request['method'], 'POST' );
	same( $request['url'], Fake_Service::URL . '/api/v2/sync-urls?a=b+c' );
	same( $request['headers']['Authorization'], 'Bearer token-of-the-test' );
	same( $request['headers']['x-wcd-plugin'], 'afterimage-wordpress' );
	same( $request['body'], "{\"title\":\"Café \u{FFFD}\"}" );
	same( $bench->client()->request( 'GET', '/account' )['body'], null );
}

/**
 * Failures say what to do, tell whether to try again, and never show the token.
 */
function test_failures_are_read(): void {
	$cases = array(
		array( 401, '{"message":"Unauthenticated token-of-the-test."}', 'refused', false ),
		array( 402, '{"message":"No checks."}', 'exhausted', false ),
		array( 403, '{}', 'refused', false ),
		array( 404, '<html>', 'missing', false ),
		array( 409, '', 'busy', true ),
		array( 422, '{"message":["odd"]}', 'invalid', false ),
		array( 429, 'null', 'limited', true ),
		array( 301, '', 'other', false ),
		array( 418, '"tea"', 'other', false ),
		array( 500, '{"message":"Server Error"}', 'broken', true ),
		array( 503, 'down', 'broken', true ),
		array( 200, '<html>', 'unreadable', true ),
		array( 200, '', 'unreadable', true ),
		array( 200, '{"data":7}', 'unreadable', true ),
		array( 200, '[]', 'unreadable', true ),
	);
	foreach ( $cases as list( $status, $body, $kind, $passes ) ) {
		$bench = new Bench();

		$bench->service->script['GET /account'] = array( array( 'status' => $status, 'body' => $body ) );

		$failure = thrown( array( $bench->client(), 'account' ) );
		same( array( $failure->kind, $failure->passes() ), array( $kind, $passes ), "$status $body" );
		same( strpos( $failure->getMessage(), 'token-of-the-test' ), false, 'the token' );
		same( $failure->getMessage() !== '', true );
	}
}

/**
 * How long to wait is taken from the answer within reason.
 */
function test_retry_after_is_read(): void {
	foreach ( array( '30' => 30, '-5' => 0, 'Wed, 21 Oct 2026 07:28:00 GMT' => 0, '1000000000' => 3600, '' => 0 ) as $header => $seconds ) {
		$bench = new Bench();

		$bench->service->script['GET /account'] = array( array( 'status' => 429, 'body' => '', 'retry_after' => (string) $header ) );

		same( thrown( array( $bench->client(), 'account' ) )->retry_after, $seconds, (string) $header );
	}
}

/**
 * The website of the site is found, or made with two groups of which the one for monitoring is off.
 */
function test_the_website_is_found_or_made(): void {
	$bench = new Bench();

	$bench->service->script['GET /websites']  = array(
		Fake_Service::json( 200, array( 'data' => array() ) ),
		Fake_Service::json( 200, array( 'data' => array( array( 'id' => 'w', 'manual_detection_group' => 'g' ) ) ) ),
		Fake_Service::json( 200, array( 'data' => array( array( 'id' => 'w', 'manual_detection_group' => null ) ) ) ),
	);
	$bench->service->script['POST /groups']   = array(
		Fake_Service::json( 200, array( 'data' => array( 'id' => 'manual' ) ) ),
		Fake_Service::json( 200, array( 'data' => array( 'id' => 'monitoring' ) ) ),
	);
	$bench->service->script['POST /websites'] = array( Fake_Service::json( 200, array( 'data' => array( 'id' => 'new' ) ) ) );

	same( $bench->client()->website( 'example.com', 'Shop' ), array( 'website' => 'new', 'group' => 'manual' ) );
	same( $bench->service->bodies[1]['enabled'], true );
	same( $bench->service->bodies[2]['enabled'], false );
	same( $bench->service->bodies[3]['auto_detection_group_id'], 'monitoring' );
	same( $bench->client()->website( 'example.com', 'Shop' ), array( 'website' => 'w', 'group' => 'g' ) );
	thrown(
		static function () use ( $bench ) {
			$bench->client()->website( 'example.com', 'Shop' );
		}
	);
}

/**
 * Pages are sent in parts of one collection.
 */
function test_pages_are_sent(): void {
	$bench = new Bench();

	$bench->service->script['POST /sync-urls']  = array( Fake_Service::json( 201, array( 'data' => array() ) ) );
	$bench->service->script['POST /start-sync'] = array( Fake_Service::json( 200, array( 'data' => array() ) ) );

	$pages = array();
	for ( $i = 0; $i < 501; $i++ ) {
		$pages[] = array( 'url' => "https://example.com/?p=$i", 'title' => "Page $i", 'type' => 'Pages' );
	}
	$bench->client()->send_pages( 'example.com', 'uuid', $pages );
	same( $bench->service->asked, array( 'POST /sync-urls', 'POST /sync-urls', 'POST /start-sync' ) );
	same( $bench->service->bodies[1]['urls'], array( 'types%%Pages' => array( array( 'url' => 'https://example.com/?p=500', 'html_title' => 'Page 500' ) ) ) );
	same( $bench->service->bodies[2]['delete_missing_urls'], true );
}

/**
 * Pages are chosen by what matters: the front page, the shop, one of each template, then the others.
 */
function test_pages_are_chosen(): void {
	$page       = static function ( $path, $kind, $type = 'Pages', $template = '', $host = 'https://example.com/blog' ) {
		return array( 'url' => $host . $path, 'title' => " The <b>page</b> $path &amp; ", 'type' => $type, 'kind' => $kind, 'template' => $template );
	};
	$candidates = array(
		$page( '/about/', 'page' ),
		$page( '/team/', 'page' ),
		$page( '/wide/', 'page', 'Pages', 'wide' ),
		$page( '/newest/', 'post', 'Posts' ),
		$page( '/older/', 'post', 'Posts' ),
		$page( '/checkout/', 'shop', 'Shop' ),
		$page( '/', 'front' ),
		$page( '/about', 'page' ),
		$page( '/away/', 'page', 'Pages', '', 'https://other.example.com' ),
		$page( 'ger/', 'page' ),
	);
	$paths      = static function ( $chosen ) {
		return array_map(
			static function ( $one ) {
				return substr( $one['url'], strlen( 'https://example.com/blog' ) );
			},
			$chosen
		);
	};
	$chosen     = Afterimage_Pages::choose( $candidates, 'https://example.com/blog/', 100 );
	// The first page named has the template of the front page's type, so it is the example of it.
	same( $paths( $chosen ), array( '/', '/checkout/', '/about/', '/wide/', '/newest/', '/team/', '/older/' ) );
	same( $chosen[2]['title'], 'The page /about/ &' );
	same( $paths( Afterimage_Pages::choose( $candidates, 'https://example.com/blog', 3 ) ), array( '/', '/checkout/', '/about/' ) );
	same( Afterimage_Pages::choose( array(), 'https://example.com', 100 ), array() );
	same( Afterimage_Pages::domain( 'https://example.com:8443/blog/' ), 'example.com:8443/blog' );
}

/**
 * Texts are cut at characters, whatever bytes they have.
 */
function test_texts_are_cut(): void {
	same( Afterimage_Text::cut( 'äöü', 3 ), 'äöü' );
	same( Afterimage_Text::cut( 'äöüß', 3 ), 'äö…' );
	same( Afterimage_Text::cut( "a\xFFb", 9 ), 'a?b' );
	same( Afterimage_Text::cut( '', 9 ), '' );
	same( Afterimage_Text::plain( "<p>One\n &lt;two&gt;</p>" ), 'One <two>' );
}

/**
 * Results stay within the limits of the service.
 */
function test_results_stay_within_limits(): void {
	$core             = Afterimage_Journal::item( 'core', 'core', 'WordPress', '6.4', '6.5' );
	$long             = Afterimage_Journal::item( 'theme', str_repeat( 's', 300 ), str_repeat( 'ä', 300 ), '', str_repeat( '1', 60 ) );
	$long['error']    = str_repeat( 'e', 600 );
	$long['messages'] = array_fill( 0, 60, str_repeat( 'm', 400 ) );
	$results          = Afterimage_Results::of( array( $core, $long ), 1800000000 );
	$theme            = $results['updates']['themes'][0];
	same( $results['updates']['core'], array( 'attempted' => true, 'success' => true, 'from_version' => '6.4', 'to_version' => '6.5', 'error' => null, 'messages' => array() ) );
	same( strlen( $theme['slug'] ) <= 257 && preg_match_all( '/./u', $theme['name'] ) === 255, true );
	same( $theme['from_version'], null );
	same( preg_match_all( '/./u', $theme['error'] ), 500 );
	same( count( $theme['messages'] ), 50 );
	same( $results['summary'], array( 'total_attempted' => 2, 'successful' => 1, 'failed' => 1, 'status' => 'completed_with_errors' ) );
	same( Afterimage_Results::of( array( $long ), 1 )['summary']['status'], 'failed' );
	same( Afterimage_Results::of( array(), 1 )['summary']['status'], 'completed' );
}

/**
 * A verdict is read as it is, and what is none is not taken for one.
 */
function test_verdicts_are_read(): void {
	$answer            = Fake_Service::verdict( 'roll_back' );
	$answer['culprit'] = array( 'kind' => 'plugin', 'slug' => 'cart', 'name' => 'Cart', 'from_version' => '1.0', 'to_version' => null );
	$verdict           = Afterimage_Verdict::read( array( 'comparisons' => array( 'c', 7 ) ) + $answer );
	same( array( $verdict->decision, $verdict->culprit ), array( 'roll_back', 'Cart (1.0 → ?)' ) );
	same( $verdict->reasons, array( '2 pages answer with an error and did not before.' ) );
	same( $verdict->comparisons, array( 'c' ) );
	foreach ( array( array(), array( 'decision' => 'KEEP' ), array( 'decision' => 1 ) ) as $none ) {
		same( Afterimage_Verdict::read( $none ), null );
	}
	same( Afterimage_Verdict::read( array( 'decision' => 'ask', 'reasons' => 'odd', 'culprit' => 'odd', 'comparisons' => null ) )->reasons, array() );
}

/**
 * Pictures are those of the reasons, or of the largest differences if there are no reasons.
 */
function test_previews_are_picked(): void {
	$comparison = static function ( $id, $percent ) {
		return array( 'id' => $id, 'link' => "https://afterimage.example.com/i/$id.png", 'public_link' => "https://afterimage.example.com/c/$id", 'difference_percent' => $percent );
	};
	$all        = array( $comparison( 'a', 9.5 ), $comparison( 'b', 3 ), $comparison( 'c', 0 ), array( 'id' => 'd', 'link' => null ) );
	same( array_column( Afterimage_Previews::of( $all, array( 'b', 'd' ) ), 'link' ), array( 'https://afterimage.example.com/c/b' ) );
	$largest = Afterimage_Previews::of( $all, array() );
	same( array_column( $largest, 'picture' ), array( 'https://afterimage.example.com/i/a_compressed.jpeg', 'https://afterimage.example.com/i/b_compressed.jpeg' ) );
}

/**
 * The guard blames an update for an error in its folder, or one that its code led to, and for nothing else.
 */
function test_the_guard_knows_whose_error_it_is(): void {
	$folder = '/srv/site/wp-content/plugins/cart';
	$cases  = array(
		array( E_ERROR, "$folder/main.php", 'Uncaught Error: Call to undefined function x()', true ),
		array( E_PARSE, "$folder/main.php", 'syntax error', true ),
		array( E_ERROR, '/srv/site/wp-includes/class-wp-hook.php', "Uncaught TypeError: argument\nStack trace:\n#0 $folder/lib.php(12): f()", true ),
		array( E_ERROR, '/srv/site/wp-content/plugins/cart-extras/main.php', 'Uncaught Error', false ),
		array( E_ERROR, '/srv/site/wp-content/themes/sky/index.php', 'Uncaught Error', false ),
		array( E_WARNING, "$folder/main.php", 'Undefined variable', false ),
		array( E_ERROR, "$folder/main.php", 'Maximum execution time of 30 seconds exceeded', false ),
		array( E_ERROR, "$folder/main.php", 'Allowed memory size of 1 bytes exhausted', false ),
	);
	foreach ( $cases as list( $type, $file, $message, $blamed ) ) {
		same( Afterimage_Guard::blames( compact( 'type', 'file', 'message' ), $folder ), $blamed, "$file $message" );
	}
	same( Afterimage_Guard::blames( null, $folder ), false );
}

/**
 * Copies that nobody needs any more are removed, others stay.
 */
function test_old_copies_are_tidied(): void {
	$root    = Bench::folder();
	$backups = new Afterimage_Backups( $root, "$root/none" );
	foreach ( array( 'aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb', 'other' ) as $name ) {
		mkdir( "$root/$name" );
		touch( "$root/$name", 1000 );
	}
	mkdir( "$root/cccccccccccccccc" );
	$backups->tidy( array( 'aaaaaaaaaaaaaaaa' ), time() - 60 );
	same( array_values( array_diff( scandir( $root ), array( '.', '..' ) ) ), array( 'aaaaaaaaaaaaaaaa', 'cccccccccccccccc', 'other' ) );
}

/**
 * The history keeps the last runs, each once.
 */
function test_the_history_keeps_the_last_runs(): void {
	$history = new Afterimage_History( new Fake_Store() );
	for ( $i = 0; $i < 25; $i++ ) {
		$history->put( array( 'id' => "r$i", 'status' => 'done' ) );
	}
	$history->put( array( 'id' => 'r24', 'status' => 'stuck' ) );
	same( count( $history->all() ), 20 );
	same( $history->all()[0], array( 'id' => 'r24', 'status' => 'stuck' ) );
	same( $history->find( 'r0' ), null );
	same( $history->find( 'r10' )['id'], 'r10' );
}
