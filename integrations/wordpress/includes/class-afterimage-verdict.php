<?php
/**
 * The verdict of the service on an update.
 *
 * @package Afterimage
 */

/**
 * What the gate answers, reduced to what this plugin uses.
 */
class Afterimage_Verdict {

	/**
	 * One of keep, roll_back, ask and not_yet.
	 *
	 * @var string
	 */
	public $decision;

	/**
	 * The reasons as sentences, the gravest first.
	 *
	 * @var string[]
	 */
	public $reasons;

	/**
	 * The likely culprit as “name (from → to)”; empty if unknown.
	 *
	 * @var string
	 */
	public $culprit = '';

	/**
	 * Ids of comparisons that show the reasons.
	 *
	 * @var string[]
	 */
	public $comparisons = array();

	/**
	 * Makes a verdict.
	 *
	 * @param string   $decision See the property.
	 * @param string[] $reasons  Sentences.
	 */
	public function __construct( string $decision, array $reasons = array() ) {
		$this->decision = $decision;
		$this->reasons  = $reasons;
	}

	/**
	 * Reads the answer of the gate; null if it is none.
	 *
	 * @param array $data The answer's data.
	 */
	public static function read( array $data ): ?self {
		$decision = $data['decision'] ?? null;
		if ( ! in_array( $decision, array( 'keep', 'roll_back', 'ask', 'not_yet' ), true ) ) {
			return null;
		}
		$verdict = new self( $decision );
		foreach ( (array) ( $data['reasons'] ?? array() ) as $reason ) {
			if ( is_string( $reason['sentence'] ?? null ) ) {
				$verdict->reasons[] = Afterimage_Text::cut( $reason['sentence'], 500 );
			}
		}
		$verdict->reasons     = array_slice( $verdict->reasons, 0, 10 );
		$verdict->comparisons = array_slice( array_filter( (array) ( $data['comparisons'] ?? array() ), 'is_string' ), 0, 20 );
		$culprit              = $data['culprit'] ?? null;
		if ( is_array( $culprit ) && is_string( $culprit['name'] ?? null ) ) {
			$verdict->culprit = sprintf( '%s (%s → %s)', $culprit['name'], $culprit['from_version'] ?? '?', $culprit['to_version'] ?? '?' );
		}
		return $verdict;
	}
}
