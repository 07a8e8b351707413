// Package imgdiff compares screenshots of web pages.
//
// Compare takes two encoded images, CompareImages two decoded ones. The result has the number of changed pixels, exactly as
// pixelmatch 7.2.0 counts them (YIQ colour metric, threshold 0.1, anti-aliased pixels excluded by default, alpha blended
// over its checkerboard), the regions they form and, with alignment, the bands of rows that were inserted, deleted, moved
// or changed:
//
//	result, err := imgdiff.Compare(ctx, before, after, imgdiff.DefaultOptions())
//	if err != nil {
//		return err
//	}
//	fmt.Printf("%.2f %% changed in %d regions\n", result.Percent, len(result.Regions))
//
// Result.MaskPNG and Result.Compose render a result, Overlay renders the second from the first later, Preview makes a small
// JPEG of a screenshot, Crop and Part cut a part out of one, Strips cuts a tall one into files that browsers can show one by
// one, and Blank detects empty ones. Options.Instability and Options.Ignore exclude pixels that change on their own.
//
// # Sizes
//
// Images of different sizes are compared where they overlap, exactly as pixelmatch compares two images of that size; every
// pixel of the union outside the overlap counts as changed.
//
// # Alignment
//
// One additional line of text moves everything below it, so that a plain comparison reports most of a page as changed. With
// Options.Align, the rows of both images are matched first, like lines in a text diff, and column by column where a sidebar
// moved next to text that did not. Result.AlignedPercent counts what differs between matched rows plus the area of inserted
// and deleted bands. A moved band does not count, and neither do one or two rows that only repeat their neighbour, which
// layouts gain and lose by rounding. It never exceeds Result.Percent. If several positions fit equally well, a band starts
// at the first row that differs. Images of different widths are not aligned.
//
// # Speed
//
// Byte-equal files are equal without decoding. Otherwise both files are inflated in parallel, and their rows are compared
// before PNG filters are removed: if a filtered row and the row above are equal, so are the pixels. Only the surroundings of
// different rows are ever decoded to pixels. All cores are used. This applies to non-interlaced PNG files with eight bits
// per channel, RGB or RGBA, as browsers write them; other PNG files that are not interlaced are read row by row first, and
// interlaced ones, JPEG, and formats that the program registers with package image use the standard decoders.
//
// # Memory
//
// A comparison holds both images at three bytes per pixel, four with alpha, both compressed files, and about half a byte
// per pixel of the union, or one byte where rows moved. A process that compares needs at most 9 bytes per pixel of the
// larger image, with what the garbage collector has not freed yet: 1.3 GB for two pages of 1440 × 100,000. Images of type
// *image.NRGBA, and opaque ones of type *image.RGBA, are not copied. Later comparisons reuse the memory; without any, it is
// released.
//
// Preview, Crop, Part, Strips and Overlay read PNG files that are not interlaced row by row, whatever their form, and hold some
// megabytes of them. They refuse other files of more than 16 million pixels.
//
// # Safety
//
// Every function bounds its allocations by the image header before decoding, verifies all checksums, and returns a
// *PictureError for input it rejects. It reacts to a cancelled context within a few milliseconds. Its work is proportional
// to the number of pixels: each is compared a fixed number of times, and Options.Effort bounds how often alignment visits
// one; when that bound is reached, the result has the plain figures and the alignment found so far, and
// Result.AlignmentCut is set. Text chunks, colour profiles and animation frames are never decompressed. No function panics
// on any input. All are safe for concurrent use; a Result may be used by several goroutines.
package imgdiff
