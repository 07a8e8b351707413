<?php
/**
 * One scene in a real WordPress that a real service looks at: php scene.php NAME. It exits with 0 if all is as it should be.
 *
 * @package Afterimage
 */

$_SERVER += array(
	'HTTP_HOST'       => substr( (string) getenv( 'AFTERIMAGE_HOME' ), strlen( 'http://' ) ),
	'REQUEST_URI'     => '/',
	'REQUEST_METHOD'  => 'GET',
	'SERVER_PROTOCOL' => 'HTTP/1.1',
	'REMOTE_ADDR'     => '127.0.0.1',
);
if ( 'install' === $argv[1] ) {
	define( 'WP_INSTALLING', true );
}
require getenv( 'AFTERIMAGE_SITE' ) . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/admin.php';
require __DIR__ . '/plugins.php';

/**
 * Ends the scene if two values differ.
 *
 * @param mixed  $got  What there is.
 * @param mixed  $want What there should be.
 * @param string $what What they are.
 */
function same( $got, $want, string $what ) {
	if ( $got !== $want ) {
		echo "$what: got ", wp_json_encode( $got ), ', want ', wp_json_encode( $want ), "\n";
		exit( 1 );
	}
}

/**
 * Writes the old version of a plugin.
 *
 * @param string $slug The plugin.
 */
function plant( string $slug ) {
	$folder = WP_PLUGIN_DIR . "/$slug";
	Afterimage_Folder::remove( $folder );
	Afterimage_Folder::make( $folder );
	foreach ( files_of( $slug, '1.0', 'same' ) as $name => $content ) {
		file_put_contents( "$folder/$name", $content );
	}
}

/**
 * A plugin as runs name it.
 *
 * @param string $slug The plugin.
 */
function item( string $slug ): array {
	return Afterimage_Journal::item( 'plugin', "$slug/$slug.php", $slug, '1.0', '2.0' );
}

/**
 * Offers the new versions of a scene, and no others.
 *
 * @param array $versions See SCENES.
 */
function offer( array $versions ) {
	array_map( 'unlink', glob( ABSPATH . 'offers/*.zip' ) );
	foreach ( $versions as $slug => list( $kind ) ) {
		$archive = new ZipArchive();
		$archive->open( ABSPATH . "offers/$slug.zip", ZipArchive::CREATE );
		foreach ( files_of( $slug, '2.0', $kind ) as $name => $content ) {
			$archive->addFromString( "$slug/$name", $content );
		}
		$archive->close();
	}
}

/**
 * The site works: each page has its text, and the button of the shop is there.
 */
function works() {
	foreach ( array(
		''         => 'Welcome to the lamp shop',
		'shop/'    => 'Add to basket',
		'contact/' => 'Write to us',
	) as $path => $text ) {
		$answer = wp_remote_get( home_url( "/$path" ) );
		same( wp_remote_retrieve_response_code( $answer ), 200, "/$path" );
		same( false !== strpos( wp_remote_retrieve_body( $answer ), $text ), true, "/$path shows its text" );
		same( false !== strpos( wp_remote_retrieve_body( $answer ), 'href="/contact/"' ), true, "/$path has its menu" );
	}
}

/**
 * Makes the site: a front page, a shop, a page for contacts, another one, and a post.
 */
function install() {
	require_once ABSPATH . 'wp-admin/includes/upgrade.php';
	wp_install( 'Lamps', 'admin', 'admin@example.com', true, '', wp_generate_password() );
	same( activate_plugin( 'afterimage/afterimage.php' ), null, 'activate the plug-in' );
	$texts = array(
		'welcome' => 'Welcome to the lamp shop. Every lamp is made by hand.',
		'shop'    => 'One lamp is left.',
		'contact' => 'Write to us: lamps@example.com',
		'about'   => 'We have made lamps for thirty years.',
	);
	foreach ( $texts as $name => $text ) {
		$ids[ $name ] = wp_insert_post(
			array(
				'post_type'    => 'page',
				'post_status'  => 'publish',
				'post_title'   => ucfirst( $name ),
				'post_name'    => $name,
				'post_content' => "<!-- wp:paragraph --><p>$text</p><!-- /wp:paragraph -->",
			)
		);
	}
	update_option( 'show_on_front', 'page' );
	update_option( 'page_on_front', $ids['welcome'] );
	update_option( 'permalink_structure', '/%postname%/' );
	Afterimage_Folder::make( ABSPATH . 'offers' );
	foreach ( array( 'cart', 'menu' ) as $slug ) {
		plant( $slug );
		wp_clean_plugins_cache( false );
		same( activate_plugin( "$slug/$slug.php" ), null, "activate $slug" );
	}
}

/**
 * Updates what a scene offers, as `wp afterimage update --all` does.
 *
 * @param array $versions See SCENES.
 */
function update( array $versions ) {
	array_map( 'plant', array( 'cart', 'menu' ) );
	Afterimage_Fresh::ask( array( item( 'cart' ), item( 'menu' ) ) );
	offer( $versions );
	$journal = Afterimage_Journal::begin( Afterimage_Plugin::connection()['group'], Afterimage_Updates::all(), 'manual', false, time() );
	Afterimage_Runner::begin( $journal, false );
	Afterimage_Runner::finish(
		static function ( string $sentence ) {
			echo "  $sentence\n";
		}
	);
	$run = Afterimage_Plugin::history()->all()[0];
	foreach ( $run['items'] as $item ) {
		$slug            = dirname( $item['id'] );
		list( , $state ) = $versions[ $slug ];
		$reasons         = implode( ' ', array_merge( $item['reasons'], (array) $item['error'] ) );
		$version         = ( new Afterimage_WP_Site() )->version( $item );
		$wanted          = 'kept' === $state ? '2.0' : '1.0';
		echo "  $slug {$item['state']}, version $version. $reasons\n";
		same( $item['state'], $state, $slug );
		same( $version, $wanted, "the version of $slug" );
	}
	same( count( $run['items'] ), count( $versions ), 'the number of updates' );
	same( file_exists( ABSPATH . '.maintenance' ), false, 'the maintenance mode' );
	works();
}

switch ( $argv[1] ) {
	case 'install':
		install();
		break;
	case 'connect':
		flush_rewrite_rules();
		echo '  ', Afterimage_Plugin::connect( $argv[2], $argv[3] ), " pages\n";
		works();
		break;
	default:
		update( SCENES[ $argv[1] ] );
}
