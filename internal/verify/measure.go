package verify

import "afterimage/imgdiff"

// Measure copies the results of a comparison: regions, bands and whether a picture is blank. The caller fills in the
// pages' elements.
func (p *Pair) Measure(found *imgdiff.Result) {
	p.Before.Width, p.Before.Height, p.Before.Blank = found.Before.X, found.Before.Y, found.BlankBefore
	p.After.Width, p.After.Height, p.After.Blank = found.After.X, found.After.Y, found.BlankAfter
	p.Regions = regionsOf(found.Seen)
	p.LeftOut, p.Remaining, p.Changed, p.Pixels = found.SeenLeftOut, nil, found.RemainingMask(), found.Displaced()
	if found.Remaining != nil {
		p.Remaining = regionsOf(found.Remaining)
	}
	p.Bands = make([]Band, len(found.Bands))
	for i, b := range found.Bands {
		p.Bands[i] = Band{
			Kind: BandKind(b.Kind), YBefore: b.YBefore, YAfter: b.YAfter, Rows: b.Rows, X0: b.X0, X1: b.X1, Surface: surfaceOf(b.Surface),
		}
	}
}

func regionsOf(found []imgdiff.Region) []Region {
	regions := make([]Region, len(found))
	for i, r := range found {
		regions[i] = Region{
			ID: r.ID, Box: r.Box, BeforeBox: r.BeforeBox, Pixels: r.Pixels, MeanDelta: r.MeanDelta, SSIM: r.SSIM,
			Fingerprint: r.Fingerprint.String(), Before: surfaceOf(r.SurfaceBefore), After: surfaceOf(r.SurfaceAfter),
		}
	}
	return regions
}

func surfaceOf(s imgdiff.Surface) Surface {
	return Surface{Known: s.Pixels > 0, Mean: s.Mean, Deviation: s.Deviation, Edges: s.Edges, Uniform: s.Uniform, Blank: s.Blank}
}
