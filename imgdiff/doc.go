// Package imgdiff compares screenshots of web pages.
//
// Compare takes two encoded pictures, CompareImages two decoded ones. The
// result tells how many pixels changed, exactly as pixelmatch 7.2.0 counts
// them (YIQ colour metric, threshold 0.1, anti-aliased pixels left out by
// default, alpha blended over its checkerboard), where they cluster, and,
// with alignment, which bands of rows were inserted, deleted, moved or
// changed:
//
//	result, err := imgdiff.Compare(before, after, imgdiff.DefaultOptions())
//	if err != nil {
//		return err
//	}
//	fmt.Printf("%.2f %% changed in %d regions\n", result.Percent, len(result.Regions))
//
// Pictures of unequal size are compared where they overlap, exactly as
// pixelmatch compares two pictures of that size; every pixel of the union
// outside the overlap counts as changed.
//
// Result.MaskPNG and Result.Compose make pictures of a result, Preview a
// small JPEG of a screenshot, and Blank finds empty ones.
//
// Every function bounds what it allocates by the picture's own header before
// it decodes, and returns a *PictureError for what it refuses. No function
// panics on any input. All are safe for concurrent use.
package imgdiff
