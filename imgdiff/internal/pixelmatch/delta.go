// Package pixelmatch has the two measures of pixelmatch 7.2.0 by which pixels count as different: how far two colours are apart, and
// whether a pixel looks like anti-aliasing.
package pixelmatch

import "math"

// The colour metric is pixelmatch 7.2.0's: the squared YIQ distance of "Measuring perceived
// color difference using YIQ NTSC transmission color space in mobile
// applications" (Y. Kotsarenko, F. Ramos, 2010). Counts must equal those of a
// JavaScript engine, which computes in IEEE 754 doubles without fused
// multiply-add; every product is therefore converted explicitly, which
// forbids Go to fuse it with the following addition.
const (
	MaxDelta = 35215 // the largest value of the metric

	yR, yG, yB = 0.29889531, 0.58662247, 0.11448223
	iR, iG, iB = 0.59597799, 0.27417610, 0.32180189
	qR, qG, qB = 0.21147017, 0.52261711, 0.31114694

	weightY, weightI, weightQ = 0.5053, 0.299, 0.1957
)

// Pixels are handled as little-endian RGBA words: red in the low byte, alpha
// in the high one. Opaque pictures of three bytes a pixel leave the high byte
// 0 and never reach the blending functions.
const (
	AlphaShift = 24
	Opaque     = 0xff << AlphaShift
)

// YIQ is the metric for channel differences dr, dg, db.
func YIQ(dr, dg, db float64) float64 {
	y := float64(dr*yR) + float64(dg*yG) + float64(db*yB)
	i := float64(dr*iR) - float64(dg*iG) - float64(db*iB)
	q := float64(dr*qR) - float64(dg*qG) + float64(db*qB)
	return float64(float64(weightY*y)*y) + float64(float64(weightI*i)*i) + float64(float64(weightQ*q)*q)
}

// Delta is the metric between two opaque pixels.
func Delta(a, b uint32) float64 {
	return YIQ(channelDiff(a, b, 0), channelDiff(a, b, 8), channelDiff(a, b, 16))
}

// channelDiff is the signed difference of one channel.
func channelDiff(a, b uint32, shift uint) float64 {
	return float64(int(a>>shift&0xff) - int(b>>shift&0xff))
}

// brightness is the signed luminance difference of two opaque pixels, the
// only part of the metric that the anti-aliasing test looks at.
func brightness(a, b uint32) float64 {
	return float64(channelDiff(a, b, 0)*yR) + float64(channelDiff(a, b, 8)*yG) + float64(channelDiff(a, b, 16)*yB)
}

// DeltaBlended is Delta for pixels of which at least one is not
// opaque. k is the byte offset of the pixel in an RGBA picture; pixelmatch
// derives the colour of its checkerboard from it.
func DeltaBlended(a, b uint32, k int) float64 {
	return YIQ(blend(a, b, k))
}

// brightnessBlended is brightness for pixels of which at least one is not
// opaque.
func brightnessBlended(a, b uint32, k int) float64 {
	dr, dg, db := blend(a, b, k)
	return float64(dr*yR) + float64(dg*yG) + float64(db*yB)
}

// blend returns the channel differences of two pixels laid over the
// checkerboard at byte offset k. The red channel of the board is constant,
// because k is a multiple of four.
func blend(a, b uint32, k int) (dr, dg, db float64) {
	backR := 48
	backG := 48 + 159*(int(float64(k)/math.Phi)%2)
	backB := 48 + 159*(int(float64(k)/2.618033988749895)%2)
	alphaA, alphaB := int(a>>AlphaShift), int(b>>AlphaShift)
	over := func(shift uint, back int) float64 {
		ca, cb := int(a>>shift&0xff), int(b>>shift&0xff)
		return float64(ca*alphaA-cb*alphaB-back*(alphaA-alphaB)) / 255
	}
	return over(0, backR), over(8, backG), over(16, backB)
}
