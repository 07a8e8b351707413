<?php
/**
 * One scene in a real WordPress: php scene.php NAME. It exits with 0 if all is as it should be.
 *
 * @package Afterimage
 */

$_SERVER += array(
	'HTTP_HOST'       => 'site.test',
	'REQUEST_URI'     => '/',
	'REQUEST_METHOD'  => 'GET',
	'SERVER_PROTOCOL' => 'HTTP/1.1',
	'REMOTE_ADDR'     => '127.0.0.1',
);
if ( getenv( 'AFTERIMAGE_LATER' ) ) {
	// The time has passed for which WordPress heeds the maintenance mode.
	$wp_filter['enable_maintenance_mode'][10]['later'] = array(
		'function'      => static function () {
			return false;
		},
		'accepted_args' => 1,
	);
}
if ( 'install' === $argv[1] ) {
	define( 'WP_INSTALLING', true );
}
require getenv( 'AFTERIMAGE_SITE' ) . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/admin.php';

/**
 * Ends the scene if two values differ.
 *
 * @param mixed $got  What there is.
 * @param mixed $want What there should be.
 */
function same( $got, $want ) {
	if ( $got !== $want ) {
		echo 'got ', wp_json_encode( $got ), ', want ', wp_json_encode( $want ), "\n";
		exit( 1 );
	}
}

/**
 * Sets what the gate is going to decide.
 *
 * @param string $decisions Separated by commas.
 */
function decide( string $decisions ) {
	update_option( 'test_service', array( 'decisions' => array_filter( explode( ',', $decisions ) ) ), false );
}

/**
 * Writes the files of a plugin, or puts them into an archive.
 *
 * @param string          $slug    Its slug.
 * @param string          $version Its version.
 * @param string          $code    What it does.
 * @param ZipArchive|null $archive The archive.
 */
function plant( string $slug, string $version, string $code, ?ZipArchive $archive = null ) {
	$text = "<?php\n/* Plugin Name: $slug\n * Version: $version\n */\n$code\n";
	if ( null !== $archive ) {
		$archive->addFromString( "$slug/$slug.php", $text );
		$archive->addFromString( "$slug/new.txt", 'new' );
		return;
	}
	Afterimage_Folder::remove( WP_PLUGIN_DIR . "/$slug" );
	Afterimage_Folder::make( WP_PLUGIN_DIR . "/$slug" );
	file_put_contents( WP_PLUGIN_DIR . "/$slug/$slug.php", $text );
	file_put_contents( WP_PLUGIN_DIR . "/$slug/old.txt", 'old' );
}

/**
 * Begins to update plugins.
 *
 * @param string[] $slugs Their slugs.
 */
function begin( array $slugs ) {
	list( $items ) = Afterimage_Updates::named( Afterimage_Updates::all(), $slugs );
	Afterimage_Runner::begin( Afterimage_Journal::begin( 'group', $items, 'manual', false, time() ), true );
	Afterimage_Runner::tick();
}

/**
 * Checks the last run.
 *
 * @param string[] $states What became of its items.
 */
function ended( array $states ) {
	same( Afterimage_Plugin::journal()->get(), null );
	same( array_column( Afterimage_Plugin::history()->all()[0]['items'], 'state' ), $states );
	same( file_exists( ABSPATH . '.maintenance' ), false );
	same( array_diff( array( 'cart/cart.php', 'forms/forms.php' ), get_option( 'active_plugins' ) ), array() );
}

/**
 * The files of the first plugin.
 */
function files(): array {
	return array_map( 'basename', glob( WP_PLUGIN_DIR . '/cart/*' ) );
}

const OLD   = array( 'cart.php', 'old.txt' );
const FRESH = array( 'cart.php', 'new.txt' );

switch ( $argv[1] ) {
	case 'install':
		require_once ABSPATH . 'wp-admin/includes/upgrade.php';
		wp_install( 'Site & more', 'admin', 'admin@example.com', true, '', wp_generate_password() );
		update_option( 'siteurl', 'https://site.test' );
		update_option( 'home', 'https://site.test' );
		same( activate_plugin( 'afterimage/afterimage.php' ), null );
		foreach ( array( 'cart', 'forms' ) as $slug ) {
			foreach ( array( 'good' => '', 'fatal' => 'not_a_function();' ) as $name => $code ) {
				$archive = new ZipArchive();
				$archive->open( ABSPATH . "$slug-$name.zip", ZipArchive::CREATE );
				plant( $slug, '2.0', $code, $archive );
				$archive->close();
			}
			plant( $slug, '1.0', '' );
			wp_clean_plugins_cache( false );
			same( activate_plugin( "$slug/$slug.php" ), null );
		}
		same( get_option( 'active_plugins' )[0], 'afterimage/afterimage.php' );
		Afterimage_Plugin::connect( 'https://afterimage.example.com/#token=token-of-the-test', '' );
		break;
	case 'plant':
		foreach ( array( 'journal', 'history', 'guard', 'notices' ) as $name ) {
			delete_option( "afterimage_$name" );
		}
		Afterimage_Plugin::backups()->remove_all();
		plant( 'cart', '1.0', '' );
		plant( 'forms', '1.0', '' );
		decide( '' );
		break;
	case 'connect':
		same( Afterimage_Plugin::connect( 'https://afterimage.example.com', 'token-of-the-test' ) >= 3, true );
		$asked = get_option( 'test_service' )['asked'];
		same( $asked[0], 'GET /account' );
		same( array_slice( $asked, -2 ), array( 'POST /sync-urls', 'POST /start-sync' ) );
		same( isset( wp_load_alloptions()['afterimage_connection'] ), false );
		break;
	case 'keep':
		begin( array( 'cart', 'forms' ) );
		ended( array( 'kept', 'kept' ) );
		same( files(), FRESH );
		break;
	case 'roll-back':
		decide( 'roll_back,keep,keep' );
		begin( array( 'cart', 'forms' ) );
		ended( array( 'rolled_back', 'kept' ) );
		same( files(), OLD );
		break;
	case 'ask':
		decide( 'ask' );
		begin( array( 'cart' ) );
		ended( array( 'asked' ) );
		same( files(), FRESH );
		Afterimage_Runner::take_back( Afterimage_Plugin::history()->all()[0]['id'], 0 );
		same( files(), OLD );
		break;
	case 'automatic':
		decide( 'roll_back,keep' );
		update_site_option( 'auto_update_plugins', array( 'cart/cart.php' ) );
		same( apply_filters( 'auto_update_plugin', null, (object) array() ), null );
		same( apply_filters( 'auto_update_plugin', true, (object) array() ), false );
		Afterimage_Automatic::begin();
		same( Afterimage_Plugin::journal()->get()['source'], 'auto_update' );
		Afterimage_Runner::tick();
		ended( array( 'rolled_back' ) );
		same( files(), OLD );
		Afterimage_Automatic::begin();
		same( Afterimage_Plugin::journal()->get(), null );
		break;
	case 'page':
		decide( 'ask' );
		begin( array( 'cart' ) );
		wp_set_current_user( 1 );
		ob_start();
		Afterimage_Page::show();
		Afterimage_Notices::show();
		$page = ob_get_clean();
		foreach ( array( '<script>', '<b>blank', 'token-of-the-test' ) as $never ) {
			same( strpos( $page, $never ), false );
		}
		foreach ( array( '&lt;b&gt;blank', 'a_compressed.jpeg', '/runs/batch-1', 'Roll back to 1.0' ) as $part ) {
			same( false !== strpos( $page, $part ), true );
		}
		break;
	case 'begin':
		decide( (string) getenv( 'AFTERIMAGE_DECISIONS' ) );
		begin( array( 'cart' ) );
		break;
	case 'update':
		begin( array( 'cart' ) );
		break;
	case 'whole':
		same( in_array( files(), array( OLD, FRESH ), true ), true );
		same( is_file( ABSPATH . '.maintenance' ), false );
		break;
	case 'go-on':
		Afterimage_Runner::tick();
		ended( array( 'kept' ) );
		same( files(), FRESH );
		break;
	case 'taken-back':
		Afterimage_Runner::tick();
		ended( array( 'rolled_back' ) );
		same( files(), OLD );
		break;
	case 'uninstall':
		define( 'WP_UNINSTALL_PLUGIN', 'afterimage/afterimage.php' );
		require WP_PLUGIN_DIR . '/afterimage/uninstall.php';
		same( $wpdb->get_col( "SELECT option_name FROM $wpdb->options WHERE option_name LIKE 'afterimage%'" ), array() );
		same( is_dir( WP_CONTENT_DIR . '/afterimage-backup' ), false );
		break;
	default:
		same( $argv[1], 'a scene' );
}
