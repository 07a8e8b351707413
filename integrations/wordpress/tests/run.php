<?php
/**
 * Runs the tests: php tests/run.php [part of a name]
 *
 * @package Afterimage
 */

error_reporting( E_ALL );
set_error_handler(
	static function ( $level, $message, $file, $line ) {
		if ( error_reporting() & $level ) {
			throw new ErrorException( $message, 0, $level, $file, $line );
		}
		return true;
	}
);

/**
 * What WordPress would translate.
 *
 * @param string $text The text.
 */
function __( $text ) {
	return $text;
}

require __DIR__ . '/../includes/load.php';
require __DIR__ . '/class-fake-service.php';
require __DIR__ . '/class-fake-site.php';
require __DIR__ . '/class-fake-store.php';
require __DIR__ . '/class-bench.php';

/**
 * Fails the test if two values differ.
 *
 * @param mixed  $got  What there is.
 * @param mixed  $want What there should be.
 * @param string $what What it is about.
 * @throws Exception If they differ.
 */
function same( $got, $want, string $what = '' ): void {
	if ( $got !== $want ) {
		throw new Exception( trim( $what . ': got ' . var_export( $got, true ) . ', want ' . var_export( $want, true ), ': ' ) );
	}
}

/**
 * Fails the test if a text lacks another.
 *
 * @param string $text The text.
 * @param string $part What it should contain.
 * @throws Exception If it does not.
 */
function contains( string $text, string $part ): void {
	if ( false === strpos( $text, $part ) ) {
		throw new Exception( "“{$text}” lacks “{$part}”" );
	}
}

/**
 * The failure or problem that something throws.
 *
 * @param callable $act What to do.
 * @throws Exception If it throws none.
 */
function thrown( callable $act ): Exception {
	try {
		$act();
	} catch ( Afterimage_Problem | Afterimage_Failure $thrown ) {
		return $thrown;
	}
	throw new Exception( 'nothing was thrown' );
}

$before = get_defined_functions()['user'];
foreach ( glob( __DIR__ . '/test-*.php' ) as $file ) {
	require $file;
}
$passed = 0;
$failed = 0;
foreach ( array_diff( get_defined_functions()['user'], $before ) as $test ) {
	if ( 0 !== strpos( $test, 'test_' ) || false === strpos( $test, $argv[1] ?? 'test_' ) ) {
		continue;
	}
	try {
		$test();
		++$passed;
	} catch ( Throwable $thrown ) {
		++$failed;
		echo "FAIL $test: ", $thrown->getMessage(), "\n  ", $thrown->getFile(), ':', $thrown->getLine(), "\n";
	} finally {
		Bench::clean();
	}
}
echo "$passed passed, $failed failed\n";
exit( 0 === $failed && $passed > 0 ? 0 : 1 );
