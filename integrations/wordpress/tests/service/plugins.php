<?php
/**
 * Two plugins, and what their new versions do well or badly.
 *
 * @package Afterimage
 */

/**
 * The scenes: the new version of each plugin that is updated, and what is to become of it.
 */
const SCENES = array(
	'nothing to see'      => array( 'cart' => array( 'same', 'kept' ) ),
	'other markup'        => array( 'cart' => array( 'markup', 'kept' ) ),
	'a page for admins'   => array( 'cart' => array( 'admin', 'kept' ) ),
	'a value at random'   => array( 'cart' => array( 'random', 'kept' ) ),
	'slower, and a log'   => array( 'cart' => array( 'slow', 'kept' ) ),
	'two plugins'         => array(
		'cart' => array( 'same', 'kept' ),
		'menu' => array( 'same', 'kept' ),
	),
	'fatal error'         => array( 'cart' => array( 'fatal', 'rolled_back' ) ),
	'white screen'        => array( 'cart' => array( 'white', 'rolled_back' ) ),
	'script error'        => array( 'cart' => array( 'script', 'rolled_back' ) ),
	'missing style sheet' => array( 'cart' => array( 'style', 'rolled_back' ) ),
	'lost shop button'    => array(
		'cart' => array( 'button', 'rolled_back' ),
		'menu' => array( 'same', 'kept' ),
	),
	'lost menu'           => array( 'menu' => array( 'lost', 'rolled_back' ) ),
);

/**
 * The files of a version of a plugin, by name.
 *
 * @param string $slug    The plugin.
 * @param string $version Its version.
 * @param string $kind    What the version does.
 */
function files_of( string $slug, string $version, string $kind ): array {
	$head = "<?php\n/* Plugin Name: $slug\n * Version: $version\n */\n";
	if ( 'menu' === $slug ) {
		return array( 'menu.php' => $head . ( 'lost' === $kind ? '' : MENU ) );
	}
	$card = '<div class="card"><h2>Lamp</h2><p>19.00</p>' . ( 'button' === $kind ? '' : '<button>Add to basket</button>' ) . '</div>';
	$css  = '.card{border:2px solid #2a6;padding:24px;max-width:20em}.card button{background:#2a6;color:#fff;padding:12px 24px;border:0}';
	if ( 'markup' === $kind ) {
		list( $card, $css ) = str_replace( array( 'class="card"', '.card' ), array( 'data-new class="item"', '.item' ), array( $card, $css ) );
	}
	$sheet = 'style' === $kind ? 'renamed.css' : 'cart.css';
	return array(
		'cart.php' => $head . 'const CART_CARD = ' . var_export( $card, true ) . ";\nconst CART_SHEET = '$sheet';\n" . CART . ( BEHAVIOURS[ $kind ] ?? '' ),
		'cart.css' => $css,
		'cart.js'  => "document.querySelector('.card button')?.addEventListener('click', () => console.info('added'));\n" . ( SCRIPTS[ $kind ] ?? '' ),
	);
}

const CART = <<<'PHP'
add_action( 'wp_enqueue_scripts', function () {
	$version = get_file_data( __FILE__, array( 'v' => 'Version' ) )['v'];
	wp_enqueue_style( 'cart', plugins_url( CART_SHEET, __FILE__ ), array(), $version );
	wp_enqueue_script( 'cart', plugins_url( 'cart.js', __FILE__ ), array(), $version, true );
} );
add_filter( 'the_content', function ( $content ) {
	return is_page( 'shop' ) ? $content . CART_CARD : $content;
} );
PHP;

const MENU = <<<'PHP'
add_action( 'wp_body_open', function () {
	echo '<nav style="background:#123;padding:16px"><a style="color:#fff;margin-right:2em" href="/shop/">Shop</a>',
		'<a style="color:#fff" href="/contact/">Contact</a></nav>';
} );
PHP;

const BEHAVIOURS = array(
	'admin'  => "\nadd_action( 'admin_menu', function () { add_menu_page( 'Cart', 'Cart', 'manage_options', 'cart', '__return_empty_string' ); } );",
	'random' => "\nadd_action( 'wp_footer', function () { echo '<input type=\"hidden\" value=\"', wp_generate_password(), '\">'; } );",
	'slow'   => "\nadd_action( 'template_redirect', function () { usleep( 300000 ); } );",
	'fatal'  => "\nadd_action( 'template_redirect', function () { not_a_function(); } );",
	'white'  => "\nadd_action( 'template_redirect', function () { exit; } );",
);

const SCRIPTS = array(
	'slow'   => "console.info('ready');",
	'script' => 'cartSettings.start();',
);
