<?php
/**
 * Where the pages of the site come from.
 *
 * @package Afterimage
 */

/**
 * Gathers candidates for Afterimage_Pages and sends what that chooses.
 */
class Afterimage_WP_Pages {

	const LIMIT = 100;
	const POSTS = 10;

	/**
	 * The pages to send.
	 *
	 * @return array Each with url, title and type.
	 */
	public static function chosen(): array {
		/**
		 * How many pages are sent at most.
		 *
		 * @param int $limit The number, 100 by default.
		 */
		$limit = max( 1, (int) apply_filters( 'afterimage_page_limit', self::LIMIT ) );
		$found = array_merge( self::front(), self::shop(), self::posts( $limit ), self::lists() );
		$pages = Afterimage_Pages::choose( $found, home_url( '/' ), $limit );
		/**
		 * The pages that are sent.
		 *
		 * @param array $pages Each with url, title and type.
		 */
		return array_slice( array_values( (array) apply_filters( 'afterimage_pages', $pages ) ), 0, $limit );
	}

	/**
	 * Sends the pages to the service.
	 *
	 * @param Afterimage_Client $client     The service.
	 * @param array             $connection Ours.
	 * @return int How many were sent.
	 */
	public static function send( Afterimage_Client $client, array $connection ): int {
		$pages      = self::chosen();
		$collection = wp_generate_uuid4();
		$client->send_pages( $connection['domain'], $collection, $pages );
		update_option(
			'afterimage_pages',
			array(
				'count'      => count( $pages ),
				'at'         => time(),
				'collection' => $collection,
			),
			false
		);
		return count( $pages );
	}

	/**
	 * The front page and the page of posts.
	 */
	private static function front(): array {
		$found = array( self::candidate( home_url( '/' ), get_bloginfo( 'name' ), __( 'Front page', 'afterimage' ), 'front' ) );
		$posts = (int) get_option( 'page_for_posts' );
		if ( $posts > 0 ) {
			$found[] = self::candidate( get_permalink( $posts ), get_the_title( $posts ), __( 'Posts page', 'afterimage' ), 'template' );
		}
		return $found;
	}

	/**
	 * The pages of the shop.
	 */
	private static function shop(): array {
		$found = array();
		foreach ( function_exists( 'wc_get_page_id' ) ? array( 'shop', 'cart', 'checkout', 'myaccount' ) : array() as $name ) {
			$id = (int) wc_get_page_id( $name );
			if ( $id > 0 && 'publish' === get_post_status( $id ) ) {
				$found[] = self::candidate( get_permalink( $id ), get_the_title( $id ), __( 'Shop', 'afterimage' ), 'shop' );
			}
		}
		return $found;
	}

	/**
	 * Pages and the newest posts of each public type.
	 *
	 * @param int $limit How many pages at most.
	 */
	private static function posts( int $limit ): array {
		$found = array();
		foreach ( get_post_types( array( 'public' => true ), 'objects' ) as $type ) {
			if ( 'attachment' === $type->name || ! is_post_type_viewable( $type ) ) {
				continue;
			}
			$pages = 'page' === $type->name;
			$posts = get_posts(
				array(
					'post_type'              => $type->name,
					'post_status'            => 'publish',
					'has_password'           => false,
					'numberposts'            => $pages ? $limit : self::POSTS,
					'orderby'                => $pages ? 'menu_order title' : 'date',
					'order'                  => $pages ? 'ASC' : 'DESC',
					'update_post_term_cache' => false,
				)
			);
			foreach ( $posts as $post ) {
				$template = (string) get_page_template_slug( $post );
				$kind     = $pages ? 'page' : 'post';
				$found[]  = self::candidate( get_permalink( $post ), get_the_title( $post ), $type->labels->name, $kind, $template );
			}
		}
		return $found;
	}

	/**
	 * Archives of post types, and the list of the most used term of each taxonomy.
	 */
	private static function lists(): array {
		$found = array();
		foreach ( get_post_types( array( 'public' => true ), 'objects' ) as $type ) {
			$link = 'post' === $type->name ? false : get_post_type_archive_link( $type->name );
			if ( $link ) {
				$found[] = self::candidate( $link, $type->labels->name, __( 'Archives', 'afterimage' ), 'template', $type->name );
			}
		}
		foreach ( get_taxonomies( array( 'public' => true ), 'objects' ) as $taxonomy ) {
			$terms = is_taxonomy_viewable( $taxonomy ) ? get_terms(
				array(
					'taxonomy' => $taxonomy->name,
					'orderby'  => 'count',
					'order'    => 'DESC',
					'number'   => 1,
				)
			) : array();
			foreach ( is_array( $terms ) ? $terms : array() as $term ) {
				$link = get_term_link( $term );
				if ( is_string( $link ) ) {
					$found[] = self::candidate( $link, $term->name, $taxonomy->labels->name, 'template', $taxonomy->name );
				}
			}
		}
		return $found;
	}

	/**
	 * A page that may be chosen.
	 *
	 * @param string $url      Its address.
	 * @param string $title    Its title.
	 * @param string $type     Its type as shown.
	 * @param string $kind     See Afterimage_Pages::ORDER.
	 * @param string $template Its template.
	 */
	private static function candidate( string $url, string $title, string $type, string $kind, string $template = '' ): array {
		return compact( 'url', 'title', 'type', 'kind', 'template' );
	}
}
