<?php
/**
 * Tests of processes that are killed.
 *
 * @package Afterimage
 */

/**
 * A kill at each write of the journal, before it and after it, with each decision: the next process goes on to the same end.
 */
function test_a_kill_at_each_step(): void {
	foreach ( array( 'keep', 'ask', 'roll_back' ) as $decision ) {
		$kills = 0;
		for ( $at = 1; true; $at++ ) {
			$reached = false;
			foreach ( array( false, true ) as $after ) {
				$bench                    = new Bench( array( 'cart', 'forms' ) );
				$bench->store->kill_at    = $at;
				$bench->store->kill_after = $after;
				// A kill may cost a run of screenshots, so the decision hangs on what is on the site, as it does in reality.
				$bench->service->on_take = decide_by_site( $bench, $decision );
				try {
					$bench->finish();
				} catch ( Killed $killed ) {
					$reached = true;
					++$kills;
					working_site_after( $bench );
				}
				$run  = $bench->finish();
				$want = array( 'keep' => 'kept', 'ask' => 'asked', 'roll_back' => 'rolled_back' )[ $decision ];
				$what = "$decision, write $at " . ( $after ? 'after' : 'before' );
				same( $run['items'][0]['state'], $want, $what );
				same( $run['items'][1]['state'], 'kept', $what );
				same( $bench->as_before( 'cart' ), 'roll_back' === $decision, $what );
				same( $bench->leftovers(), 'ask' === $decision ? array( $run['id'] ) : array(), $what );
				same( is_file( $bench->site->maintenance() ), false, $what );
				same( count( $bench->history->all() ), 1, $what );
				Bench::clean();
			}
			if ( ! $reached ) {
				break;
			}
		}
		same( $kills >= 30, true, "only $kills kills with $decision" );
	}
}

/**
 * Lets the service decide by what is on the site: the decision where the new version of the first plugin is, otherwise keep.
 *
 * @param Bench  $bench    The bench.
 * @param string $decision The decision.
 */
function decide_by_site( Bench $bench, string $decision ): callable {
	return static function ( $type ) use ( $bench, $decision ) {
		if ( 'post' === $type ) {
			$both                        = is_file( $bench->site->content . '/plugins/forms/new.php' );
			$cart                        = is_file( $bench->site->content . '/plugins/cart/new.php' );
			$bench->service->decisions[] = $cart && ! $both ? $decision : 'keep';
		}
	};
}

/**
 * What the first request after a kill does: the site works after it.
 *
 * @param Bench $bench The bench.
 */
function working_site_after( Bench $bench ): void {
	$bench->run()->recover();
	foreach ( array( 'cart', 'forms' ) as $slug ) {
		$updated = is_file( "{$bench->site->content}/plugins/$slug/new.php" );
		same( $updated || $bench->as_before( $slug ), true, "$slug is whole" );
	}
}

/**
 * A kill in the middle of an update: the folder is put back, the maintenance mode ends, and the update is made again.
 */
function test_a_kill_in_the_update(): void {
	$bench                = new Bench();
	$bench->site->updates = array( 'cart' => 'kill' );
	try {
		$bench->finish();
		throw new Exception( 'not killed' );
	} catch ( Killed $killed ) {
		same( is_file( $bench->site->maintenance() ), true );
		same( $bench->as_before( 'cart' ), false );
	}
	$bench->site->now += 30;
	$bench->run()->recover();
	same( $bench->as_before( 'cart' ), true );
	same( is_file( $bench->site->maintenance() ), false );
	$run = $bench->finish();
	same( $run['items'][0]['state'], 'kept' );
	contains( implode( ' ', $run['items'][0]['messages'] ), 'was interrupted' );
}

/**
 * An update that is killed each time is given up.
 */
function test_a_kill_in_each_update(): void {
	$bench                = new Bench( array( 'cart', 'forms' ) );
	$bench->site->updates = array( 'cart' => 'kill always' );
	for ( $kills = 0; $kills < 2; $kills++ ) {
		try {
			$bench->finish();
			throw new Exception( 'not killed' );
		} catch ( Killed $killed ) {
			unset( $killed );
		}
	}
	$run = $bench->finish();
	same( array_column( $run['items'], 'state' ), array( 'failed', 'kept' ) );
	same( $bench->as_before( 'cart' ), true );
	contains( $bench->site->told[0], 'interrupted each time' );
}

/**
 * A kill while a folder is put back, at each state that it can leave: the next process puts it back.
 */
function test_a_kill_while_a_folder_is_put_back(): void {
	$states = array(
		'stage half written' => static function ( $run, $folder ) {
			mkdir( "$run/stage-plugin-cart/lib", 0755, true );
			file_put_contents( "$run/stage-plugin-cart/main.php", 'half' );
		},
		'moved aside'        => static function ( $run, $folder ) {
			rename( $folder, "$run/aside-plugin-cart" );
		},
		'aside left'         => static function ( $run, $folder ) {
			rename( $folder, "$run/aside-plugin-cart" );
			Afterimage_Folder::copy( "$run/copy-plugin-cart", $folder );
		},
		'half moved'         => static function ( $run, $folder ) {
			rename( $folder, "$run/aside-plugin-cart" );
			mkdir( $folder . '/lib', 0755, true );
			copy( "$run/copy-plugin-cart/main.php", "$folder/main.php" );
		},
	);
	foreach ( $states as $name => $leave ) {
		$bench                     = new Bench();
		$bench->service->decisions = array( 'roll_back' );
		$run                       = $bench->run();
		while ( 'restore' !== $bench->store->get()['step'] ) {
			$run->step();
		}
		$leave( dirname( $bench->store->get()['items'][0]['backup'] ), $bench->site->content . '/plugins/cart' );
		$bench->run()->recover();
		same( $bench->as_before( 'cart' ), true, $name );
		same( $bench->finish()['items'][0]['state'], 'rolled_back', $name );
		same( $bench->leftovers(), array(), $name );
	}
}

/**
 * The maintenance mode of somebody else stays, and ours lapses two minutes after a kill.
 */
function test_the_maintenance_mode_of_others_stays(): void {
	$file = Bench::folder() . '/.maintenance';
	$now  = 1800000000;
	same( Afterimage_Maintenance::end( $file ), false, 'none' );
	file_put_contents( $file, '<?php $upgrading = time(); ?>' );
	Afterimage_Maintenance::begin( $file, $now );
	same( Afterimage_Maintenance::end( $file ), false, 'of others' );
	same( file_get_contents( $file ), '<?php $upgrading = time(); ?>' );
	unlink( $file );
	Afterimage_Maintenance::begin( $file, $now );
	$upgrading = 0;
	require $file;
	same( $upgrading + 600, $now + 120, 'WordPress heeds it for ten minutes from then' );
	same( Afterimage_Maintenance::end( $file ), true, 'ours' );
	same( is_file( $file ), false );
}

/**
 * Two processes: the second one does not get the lock before the first has ended.
 */
function test_one_process_at_a_time(): void {
	$path  = Bench::folder() . '/run.lock';
	$one   = new Afterimage_Lock( $path );
	$other = new Afterimage_Lock( $path );
	same( $one->take(), true );
	same( $one->take(), true, 'again' );
	same( $other->take(), false );
	unset( $one );
	same( $other->take(), true, 'after the first has ended' );
}
