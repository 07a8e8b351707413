// Package noise learns which parts of a page vary on their own.
//
// Two captures with no update between them differ only by what the page does on its own: a clock, a carousel, a list that moves
// on. [Knowledge.Observe] adds such a pair to what is known of the page on one device; [Knowledge.On] applies the knowledge to
// another pair, and [Sight.Explain] tells whether a change of an element is one that the page makes by itself. A part that varies
// is quiet within the forms that it has taken only: a carousel that shows another picture is, one that is empty, of another
// height or shows an error is not.
//
// The package is pure and deterministic. Its work is linear in the number of elements, and the knowledge of a page is bounded.
package noise
