<?php
/**
 * Tests of whole runs.
 *
 * @package Afterimage
 */

/**
 * A good update is kept, with one run before and one after, and reported.
 */
function test_a_good_update_is_kept(): void {
	$bench = new Bench();
	$run   = $bench->finish();
	same( $run['status'], 'done' );
	same( $run['items'][0]['state'], 'kept' );
	same( $bench->site->version( $run['items'][0] ), '2.0' );
	same( array_values( $bench->service->batches ), array( 'pre', 'post' ) );
	same( $bench->leftovers(), array() );
	same( $bench->site->told, array() );
	same( $bench->store->get(), null );
	$report = $bench->service->bodies[ array_search( 'PUT /batches/{batch}/update-results', $bench->service->asked, true ) ];
	same( $report['updates']['plugins'][0]['slug'], 'cart' );
	same( $report['updates']['plugins'][0]['to_version'], '2.0' );
	same( $report['summary'], array( 'total_attempted' => 1, 'successful' => 1, 'failed' => 0, 'status' => 'completed' ) );
}

/**
 * A bad update is taken back and the site is checked again; the next one is made after it.
 */
function test_a_bad_update_is_taken_back(): void {
	$bench                     = new Bench( array( 'cart', 'forms', 'theme-sky' ) );
	$bench->service->decisions = array( 'roll_back' );
	$run                       = $bench->finish();
	same( array_column( $run['items'], 'state' ), array( 'rolled_back', 'kept', 'kept' ) );
	same( $bench->as_before( 'cart' ), true );
	same( $bench->site->version( $run['items'][2] ), '2.0' );
	same( $bench->site->restored, array( 'cart' ) );
	same( array_values( $bench->service->batches ), array( 'pre', 'post', 'post', 'post', 'post' ) );
	same( count( $bench->site->told ), 1 );
	contains( $bench->site->told[0], 'The site is as it was before.' );
	contains( $bench->site->told[0], '/runs/batch-2' );
	same( $bench->leftovers(), array() );
	same( $bench->service->times( 'PUT /batches/{batch}/update-results' ), 4 );
}

/**
 * If the site shows damage after the update was taken back, no further update is made.
 */
function test_damage_that_stays_stops_the_run(): void {
	$bench                     = new Bench( array( 'cart', 'forms' ) );
	$bench->service->decisions = array( 'roll_back', 'roll_back' );
	$run                       = $bench->finish();
	same( $run['status'], 'stopped' );
	same( array_column( $run['items'], 'state' ), array( 'rolled_back', 'left' ) );
	same( $bench->as_before( 'forms' ), true );
	contains( $bench->site->told[0], 'No further updates are installed' );
}

/**
 * What a person has to decide is kept with its copy, and the next update gets screenshots from before of its own.
 */
function test_a_question_keeps_the_update_and_its_copy(): void {
	$bench                     = new Bench( array( 'cart', 'forms' ) );
	$bench->service->decisions = array( 'ask' );
	$run                       = $bench->finish();
	same( array_column( $run['items'], 'state' ), array( 'asked', 'kept' ) );
	same( array_values( $bench->service->batches ), array( 'pre', 'post', 'pre', 'post' ) );
	same( $bench->leftovers(), array( $run['id'] ) );
	same( is_dir( $run['items'][0]['backup'] ), true );
	contains( $bench->site->told[0], 'needs a decision' );
	contains( $bench->site->told[0], Fake_Service::URL . '/runs/batch-1' );
}

/**
 * A verdict that never comes ends in a question, with fewer and fewer requests.
 */
function test_a_verdict_that_never_comes_ends_in_a_question(): void {
	$bench                     = new Bench();
	$bench->service->decisions = array( 'not_yet' );
	$run                       = $bench->finish();
	same( $run['items'][0]['state'], 'asked' );
	contains( $run['items'][0]['reasons'][0], 'no verdict after 3600 seconds' );
	same( $bench->service->times( 'GET /batches/{batch}/gate' ) < 70, true, 'few requests' );
}

/**
 * A verdict that comes late is used.
 */
function test_a_late_verdict_is_used(): void {
	$bench  = new Bench();
	$not    = Fake_Service::json( 200, array( 'data' => Fake_Service::verdict( 'not_yet' ) ) );
	$broken = array( 'status' => 502, 'body' => '<html>Bad gateway</html>' );
	$html   = array( 'status' => 200, 'body' => '<html>Welcome to nginx</html>' );

	$bench->service->script['GET /batches/{batch}/gate'] = array( $not, $broken, $html, new Afterimage_Failure( 'unreachable', 'Time-out.' ), array( 'status' => 429, 'body' => '', 'retry_after' => '120' ), null );

	$begun = $bench->site->now;
	$run   = $bench->finish();
	same( $run['items'][0]['state'], 'kept' );
	same( $bench->service->times( 'GET /batches/{batch}/gate' ), 6 );
	same( $bench->site->now - $begun, 3 + 5 + 10 + 20 + 40 + 120 );
}

/**
 * Without the service no update is made, and the reason is told.
 */
function test_no_update_without_the_service(): void {
	$bench = new Bench( array( 'cart', 'forms' ) );

	$bench->service->script['POST /screenshots/take'] = array( new Afterimage_Failure( 'unreachable', 'The service cannot be reached: time-out' ) );

	$run = $bench->finish();
	same( $run['status'], 'stopped' );
	same( array_column( $run['items'], 'state' ), array( 'left', 'left' ) );
	same( $bench->as_before( 'cart' ) && $bench->as_before( 'forms' ), true );
	contains( $bench->site->told[0], 'time-out' );
	same( $bench->site->now - $run['started'] <= 660, true, 'a bounded wait' );
}

/**
 * With force it is made all the same, and a person is asked.
 */
function test_force_updates_without_the_service(): void {
	$bench = new Bench( array( 'cart' ), true );

	$bench->service->script['POST /screenshots/take'] = array( array( 'status' => 402, 'body' => '{"message":"No checks left."}' ) );

	$run = $bench->finish();
	same( $run['items'][0]['state'], 'asked' );
	same( $bench->site->version( $run['items'][0] ), '2.0' );
	contains( $run['items'][0]['reasons'][0], 'No checks left.' );
}

/**
 * A token that was revoked is not tried again and again.
 */
function test_a_refused_token_stops_at_once(): void {
	$bench = new Bench();

	$bench->service->script['POST /screenshots/take'] = array( array( 'status' => 401, 'body' => '{"message":"Unauthenticated."}' ) );

	$run = $bench->finish();
	same( $run['items'][0]['state'], 'left' );
	same( $bench->service->times( 'POST /screenshots/take' ), 1 );
}

/**
 * No update is made if no page could be captured, or the screenshots never end.
 */
function test_no_update_without_screenshots_from_before(): void {
	foreach ( array( array( 0, 0, 0, 6 ), array( 3, 1, 2, 0 ) ) as $counts ) {
		$bench = new Bench();
		$meta  = array( 'status_counts' => array_combine( array( 'open', 'processing', 'done', 'failed' ), $counts ) );

		$bench->service->script['GET /queues'] = array( Fake_Service::json( 200, array( 'meta' => $meta ) ) );

		$run = $bench->finish();
		same( $run['status'], 'stopped' );
		same( $bench->as_before( 'cart' ), true );
	}
}

/**
 * An update that fails, half way or at once, leaves the folder as it was, and no maintenance mode; the others are made.
 */
function test_an_update_that_fails_leaves_the_folder_as_it_was(): void {
	foreach ( array( 'error', 'half', 'nothing' ) as $how ) {
		$bench                = new Bench( array( 'forms', 'cart' ) );
		$bench->site->updates = array( 'cart' => $how );
		$run                  = $bench->finish();
		same( array_column( $run['items'], 'state' ), array( 'kept', 'failed' ), $how );
		same( $bench->as_before( 'cart' ), true, $how );
		same( is_file( $bench->site->maintenance() ), false, $how );
		contains( $bench->site->told[0], 'nothing' === $how ? 'still 1.0' : 'Download failed.' );
		same( $bench->leftovers(), array(), $how );
	}
}

/**
 * A folder that cannot be written, is a link or a single file is not touched.
 */
function test_folders_that_cannot_be_updated_are_skipped(): void {
	$bench = new Bench( array( 'cart', 'forms', 'keep' ) );
	rename( $bench->site->content . '/plugins/cart', $bench->site->content . '/elsewhere' );
	symlink( $bench->site->content . '/elsewhere', $bench->site->content . '/plugins/cart' );
	Afterimage_Folder::remove( $bench->site->content . '/plugins/forms' );
	file_put_contents( $bench->site->content . '/plugins/forms', 'one file' );
	$run = $bench->finish();
	same( array_column( $run['items'], 'state' ), array( 'skipped', 'skipped', 'kept' ) );
	contains( $bench->site->told[0], 'symbolic link' );
	contains( $bench->site->told[1], 'by hand' );
	same( is_file( $bench->site->content . '/plugins/forms' ), true );
}

/**
 * A rollback that fails stops the run and says exactly what to do.
 */
function test_a_rollback_that_fails_says_what_to_do(): void {
	$bench                     = new Bench( array( 'cart', 'forms' ) );
	$bench->service->decisions = array( 'roll_back' );
	$bench->service->on_take   = static function ( $type ) use ( $bench ) {
		if ( 'post' === $type ) {
			$copy = $bench->store->get()['items'][0]['backup'];
			file_put_contents( $copy . '/main.php', 'damaged' );
		}
	};
	$run                       = $bench->finish();
	same( $run['status'], 'stuck' );
	same( array_column( $run['items'], 'state' ), array( 'stuck', 'left' ) );
	contains( $bench->site->told[0], 'no complete copy' );
	contains( $bench->site->told[0], 'Do this by hand: delete the folder ' . $bench->site->content . '/plugins/cart' );
	same( is_dir( $run['items'][0]['backup'] ), true, 'the copy stays' );
	same( $bench->site->version( $run['items'][0] ), '2.0', 'the folder stays' );
}

/**
 * What the guard noticed takes an update back without the service.
 */
function test_a_fatal_error_takes_the_update_back(): void {
	$bench                = new Bench();
	$bench->site->noticed = array( 'cart' => 'PHP stopped with an error in the plugin.' );

	$bench->service->script['GET /batches/{batch}/gate'] = array( new Afterimage_Failure( 'unreachable', 'Time-out.' ) );

	$run = $bench->finish();
	same( $run['items'][0]['state'], 'rolled_back' );
	same( $bench->as_before( 'cart' ), true );
}

/**
 * WordPress' own backup is used where it is complete.
 */
function test_the_backup_of_wordpress_is_used(): void {
	$bench                     = new Bench();
	$core                      = $bench->site->content . '/upgrade-temp-backup/plugins/cart';
	$bench->service->decisions = array( 'roll_back' );
	mkdir( dirname( $core ), 0755, true );
	Afterimage_Folder::copy( $bench->site->content . '/plugins/cart', $core );
	$run = $bench->finish();
	same( $run['items'][0]['state'], 'rolled_back' );
	same( $bench->as_before( 'cart' ), true );
	same( is_dir( $core ), false, 'it was moved' );
}

/**
 * A run that only observes never touches the files, and reports all items at once.
 */
function test_observing_touches_nothing(): void {
	foreach ( array( 'keep' => 'kept', 'ask' => 'asked', 'roll_back' => 'asked' ) as $decision => $state ) {
		$bench                     = new Bench( array( 'cart', 'forms' ) );
		$items                     = $bench->store->get()['items'];
		$items[1]['error']         = 'Download failed.';
		$bench->store->text        = serialize( Afterimage_Journal::observe( 'group', $items, 'auto_update', 'batch-x', $bench->site->now ) );
		$bench->service->decisions = array( $decision );
		$run                       = $bench->finish();
		same( array_column( $run['items'], 'state' ), array( $state, 'failed' ) );
		same( $bench->as_before( 'cart' ), true );
		same( $bench->leftovers(), array() );
		$report = $bench->service->bodies[ array_search( 'PUT /batches/{batch}/update-results', $bench->service->asked, true ) ];
		same( $report['summary']['status'], 'completed_with_errors' );
	}
}

/**
 * Screenshots from before that are old are taken again before the next item.
 */
function test_old_screenshots_are_taken_again(): void {
	$bench                   = new Bench( array( 'cart', 'forms' ) );
	$bench->service->on_take = static function ( $type ) use ( $bench ) {
		$bench->site->now += 'post' === $type ? 8000 : 0;
	};
	$bench->finish();
	same( array_values( $bench->service->batches ), array( 'pre', 'post', 'pre', 'post' ) );
}

/**
 * Screenshots wait until the web server runs the files as they are, after an update and after it was taken back.
 */
function test_screenshots_wait_for_the_new_files(): void {
	$bench                     = new Bench( array( 'cart' ) );
	$bench->site->stale        = 61;
	$bench->service->decisions = array( 'roll_back' );
	$run                       = $bench->run();
	$posts                     = array();
	do {
		$delay = $run->step();
		$after = count( array_keys( $bench->service->batches, 'post', true ) );
		if ( $after > count( $posts ) ) {
			$posts[] = $bench->site->now;
		}
		$bench->site->now += (int) $delay;
	} while ( null !== $delay );
	same( array_column( $bench->site->fresh, 0 ), array( 'cart', 'cart' ) );
	same( count( $posts ), 2 );
	foreach ( $posts as $n => $at ) {
		same( $at >= $bench->site->fresh[ $n ][1], true, 'the screenshots are not too early' );
	}
}

/**
 * If it is not certain that the screenshots show the new files, the run says so, once.
 */
function test_screenshots_that_may_show_old_files_are_told(): void {
	$bench                     = new Bench( array( 'cart' ) );
	$bench->site->unsure       = 'Perhaps the version before.';
	$bench->service->decisions = array( 'roll_back' );
	same( $bench->finish()['notes'], array( 'Perhaps the version before.' ) );
}
