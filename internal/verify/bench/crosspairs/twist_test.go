package crosspairs

import (
	"image"
	"math/rand/v2"
	"slices"
)

// twists are what can be done to the rows and columns of a page so that much of it is found again, in many ways.
var twists = map[string]func(r *rand.Rand, page *image.NRGBA) *image.NRGBA{
	"rotated": func(r *rand.Rand, page *image.NRGBA) *image.NRGBA {
		by := r.IntN(page.Rect.Dy())
		return rows(page, page.Rect.Dy(), func(y int) int { return (y + by) % page.Rect.Dy() })
	},
	"repeated": func(_ *rand.Rand, page *image.NRGBA) *image.NRGBA {
		return rows(page, 2*page.Rect.Dy(), func(y int) int { return y % page.Rect.Dy() })
	},
	"tiled": func(r *rand.Rand, page *image.NRGBA) *image.NRGBA {
		tile := min(50+r.IntN(300), page.Rect.Dy())
		first := r.IntN(page.Rect.Dy() - tile + 1)
		return rows(page, page.Rect.Dy(), func(y int) int { return first + y%tile })
	},
	"all rows equal": func(r *rand.Rand, page *image.NRGBA) *image.NRGBA {
		row := r.IntN(page.Rect.Dy())
		return rows(page, page.Rect.Dy(), func(int) int { return row })
	},
	"periodic": func(r *rand.Rand, page *image.NRGBA) *image.NRGBA {
		period := 2 + r.IntN(9)
		return rows(page, page.Rect.Dy(), func(y int) int { return y % min(period, page.Rect.Dy()) })
	},
	"every tenth row dropped": func(_ *rand.Rand, page *image.NRGBA) *image.NRGBA {
		return rows(page, page.Rect.Dy()*9/10, func(y int) int { return y * 10 / 9 })
	},
	"interleaved": func(_ *rand.Rand, page *image.NRGBA) *image.NRGBA {
		half := page.Rect.Dy() / 2
		return rows(page, 2*half, func(y int) int { return y/2 + y%2*half })
	},
	"reversed": func(_ *rand.Rand, page *image.NRGBA) *image.NRGBA {
		return rows(page, page.Rect.Dy(), func(y int) int { return page.Rect.Dy() - 1 - y })
	},
	"blocks shuffled": func(r *rand.Rand, page *image.NRGBA) *image.NRGBA {
		const block = 40
		order := r.Perm(page.Rect.Dy() / block)
		return rows(page, len(order)*block, func(y int) int { return order[y/block]*block + y%block })
	},
	"halves swapped": func(_ *rand.Rand, page *image.NRGBA) *image.NRGBA {
		width := page.Rect.Dx()
		return columns(page, func(x int) (int, int) { return (x + width/2) % width, 0 })
	},
	"a column moved down": func(r *rand.Rand, page *image.NRGBA) *image.NRGBA {
		edge, by := r.IntN(page.Rect.Dx()), 1+r.IntN(200)
		return columns(page, func(x int) (int, int) {
			if x < edge {
				return x, 0
			}
			return x, by
		})
	},
	"strips moved apart": func(r *rand.Rand, page *image.NRGBA) *image.NRGBA {
		strip := 20 + r.IntN(60)
		return columns(page, func(x int) (int, int) { return x, x / strip * 17 })
	},
}

// twistNames are sorted, for a run to be like the one before.
var twistNames = func() []string {
	var names []string
	for name := range twists {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}()

// rows makes a page of another's rows.
func rows(page *image.NRGBA, height int, from func(y int) int) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, page.Rect.Dx(), max(height, 1)))
	for y := range out.Rect.Dy() {
		copy(out.Pix[y*out.Stride:(y+1)*out.Stride], page.Pix[min(from(y), page.Rect.Dy()-1)*page.Stride:])
	}
	return out
}

// columns makes a page of another's columns, each moved down by some rows.
func columns(page *image.NRGBA, from func(x int) (column, down int)) *image.NRGBA {
	out := image.NewNRGBA(page.Rect)
	for x := range page.Rect.Dx() {
		column, down := from(x)
		for y := range page.Rect.Dy() {
			copy(out.Pix[y*out.Stride+4*x:][:4], page.Pix[max(y-down, 0)*page.Stride+4*column:])
		}
	}
	return out
}

// woven takes the rows of two pages in turn.
func woven(a, b *image.NRGBA) *image.NRGBA {
	height := min(a.Rect.Dy(), b.Rect.Dy())
	out := image.NewNRGBA(image.Rect(0, 0, a.Rect.Dx(), 2*height))
	for y := range out.Rect.Dy() {
		page := []*image.NRGBA{a, b}[y%2]
		copy(out.Pix[y*out.Stride:(y+1)*out.Stride], page.Pix[y/2*page.Stride:])
	}
	return out
}
