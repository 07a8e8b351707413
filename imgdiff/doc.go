// Package imgdiff compares screenshots of web pages.
//
// Compare takes two encoded pictures, CompareImages two decoded ones. The
// result tells how many pixels changed, exactly as pixelmatch 7.2.0 counts
// them (YIQ colour metric, threshold 0.1, anti-aliased pixels left out by
// default, alpha blended over its checkerboard), where they cluster, and,
// with alignment, which bands of rows were inserted, deleted, moved or
// changed:
//
//	result, err := imgdiff.Compare(ctx, before, after, imgdiff.DefaultOptions())
//	if err != nil {
//		return err
//	}
//	fmt.Printf("%.2f %% changed in %d regions\n", result.Percent, len(result.Regions))
//
// Result.MaskPNG and Result.Compose make pictures of a result, Overlay makes
// the second later from the first, Preview makes a small JPEG of a screenshot,
// and Blank finds empty ones. Pixels that change by themselves are kept out by
// Options.Instability and Options.Ignore.
//
// # Sizes
//
// Pictures of unequal size are compared where they overlap, exactly as
// pixelmatch compares two pictures of that size; every pixel of the union
// outside the overlap counts as changed.
//
// # Alignment
//
// One line of text more moves everything below it, and a plain comparison
// then reports most of a page as changed. With Options.Align the rows of both
// pictures are brought into correspondence first, as the lines of two texts
// are by a diff, and column by column where a sidebar moved beside text that
// did not. Result.AlignedPercent counts what remains between corresponding
// rows plus the area of inserted and deleted bands; a band that moved counts
// nothing, and neither do one or two rows that only repeat their neighbour,
// which layouts gain and lose by rounding. It is never above Result.Percent.
// Where several places fit equally well, a band begins at the first row that
// differs. Pictures of unequal width are not aligned.
//
// # Speed
//
// Byte-equal files end the comparison at once. Otherwise both files are
// inflated side by side, and their rows are compared as they stand in the
// files, before PNG's filters are taken off: where a filtered row and the row
// above are equal, the pixels are. Only the surroundings of rows that differ
// are ever turned into pixels. All cores take part. This holds for PNG files
// of eight bits, RGB or RGBA, not interlaced, as browsers write them; other
// PNG files, JPEG, and formats that the program registers with package image
// go through the standard decoders.
//
// # Memory
//
// A comparison holds both pictures at three bytes a pixel, four with alpha,
// both files' compressed data, and about half a byte for each pixel of the
// union, or one byte where rows moved. Images of type *image.NRGBA, and opaque ones of type *image.RGBA, are
// not copied. The memory is reused by later comparisons and given up when
// none follows.
//
// # Safety
//
// Every function bounds what it allocates by the picture's own header before
// it decodes, verifies all checksums, and returns a *PictureError for what it
// refuses. Every function hears its context within a few milliseconds. Its work
// is proportional to the pixels of the pictures: each is compared a fixed number
// of times, and Options.Effort bounds how often alignment looks at one; when
// that bound is reached, the result holds the plain figures and what alignment
// had found, and Result.AlignmentCut tells. Text, colour profiles and animation frames are never unpacked. No
// function panics on any input. All are safe for concurrent use; a Result may
// be used by several goroutines.
package imgdiff
