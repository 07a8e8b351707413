package imgdiff

import (
	"cmp"
	"image"
	"slices"
)

// The constants of clustering. They suit pages: text lines of one paragraph
// become one region, two cards side by side stay two.
const (
	// reachCells joins changed cells that lie at most this many cells
	// apart, which is a dilation by one cell followed by 8-connection.
	reachCells = 2
	// mergeGap joins boxes that lie at most this many pixels apart.
	mergeGap = 16
	// SpeckPixels: smaller clusters are dropped as specks, unless the
	// structure around them changed.
	SpeckPixels = 8
	// SpeckSSIM: a speck is kept below this structural similarity.
	SpeckSSIM = 0.90
	// MaxSpecks bounds how many specks are looked at more closely.
	MaxSpecks = 256
	// maxClusters bounds how many clusters enter merging; the heaviest do.
	maxClusters = 1024
	// MaxRegions is the largest number of regions of one result.
	MaxRegions = 50
)

// cluster is a region while it is being formed.
type cluster struct {
	box    image.Rectangle // in pixels
	pixels int
	delta  float64
	cells  []int32 // indices into the grid
}

// weight orders clusters: many pixels that changed much come first.
func (c *cluster) weight() float64 { return c.delta }

// findRegions clusters the changed pixels.
func findRegions(c *counter) (regions []Region, leftOut int) {
	clusters := connect(c.effort, c.grid)
	sortByWeight(clusters)
	clusters = dropSpecks(clusters, c)
	if len(clusters) > maxClusters {
		leftOut = len(clusters) - maxClusters
		clusters = clusters[:maxClusters]
	}
	for _, k := range clusters {
		c.effort.check()
		k.box = exactBox(k.cells, c.grid, c.changed)
	}
	clusters = mergeClose(c.effort, clusters)
	sortByWeight(clusters)
	if len(clusters) > MaxRegions {
		leftOut += len(clusters) - MaxRegions
		clusters = clusters[:MaxRegions]
	}
	regions = make([]Region, len(clusters))
	for i, k := range clusters {
		c.effort.check()
		regions[i] = Region{
			ID: i + 1, Kind: BandChanged, Box: k.box, Pixels: k.pixels,
			MeanDelta:   k.delta / float64(k.pixels),
			SSIM:        clusterSSIM(k.cells, c),
			Fingerprint: fingerprint(c.changed, k.box),
		}
	}
	c.surfaces(regions)
	return regions, leftOut
}

// connect joins changed cells within reach of each other.
func connect(e *effort, g *grid) []*cluster {
	var clusters []*cluster
	seen := make([]bool, len(g.pixels))
	var queue []int32
	for start := range g.pixels {
		if start&1023 == 0 {
			e.check()
		}
		if g.pixels[start] == 0 || seen[start] {
			continue
		}
		k := &cluster{}
		seen[start] = true
		queue = append(queue[:0], int32(start))
		for len(queue) > 0 {
			if len(k.cells)&1023 == 1023 {
				e.check()
			}
			i := int(queue[len(queue)-1])
			queue = queue[:len(queue)-1]
			k.cells = append(k.cells, int32(i))
			k.pixels += int(g.pixels[i])
			k.delta += float64(g.delta[i])
			queue = g.reach(i, seen, queue)
		}
		clusters = append(clusters, k)
	}
	return clusters
}

// reach queues the unseen changed cells within reach of cell i.
func (g *grid) reach(i int, seen []bool, queue []int32) []int32 {
	cx, cy := i%g.columns, i/g.columns
	x0, x1 := max(cx-reachCells, 0), min(cx+reachCells, g.columns-1)
	y0, y1 := max(cy-reachCells, 0), min(cy+reachCells, g.rows-1)
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			j := y*g.columns + x
			if g.pixels[j] != 0 && !seen[j] {
				seen[j] = true
				queue = append(queue, int32(j))
			}
		}
	}
	return queue
}

// sortByWeight puts the heaviest first; equal ones keep reading order.
func sortByWeight(clusters []*cluster) {
	slices.SortStableFunc(clusters, func(a, b *cluster) int { return cmp.Compare(b.weight(), a.weight()) })
}

// dropSpecks leaves out clusters of few pixels whose surroundings kept their
// structure.
func dropSpecks(clusters []*cluster, c *counter) []*cluster {
	looked := 0
	return slices.DeleteFunc(clusters, func(k *cluster) bool {
		if k.pixels >= SpeckPixels {
			return false
		}
		looked++
		c.effort.check()
		return looked > MaxSpecks || clusterSSIM(k.cells, c) >= SpeckSSIM
	})
}

// exactBox is the smallest box around the changed pixels of some cells.
func exactBox(cells []int32, g *grid, changed *Mask) image.Rectangle {
	var box image.Rectangle
	for _, i := range cells {
		x0, y0 := int(i)%g.columns*cellSide, int(i)/g.columns*cellSide
		for y := y0; y < min(y0+cellSide, changed.height); y++ {
			// A cell is one byte of a mask row.
			bits := uint8(changed.row(y)[x0>>6] >> (x0 & 63))
			if bits == 0 {
				continue
			}
			first, last := bitSpan(bits)
			box = box.Union(image.Rect(x0+first, y, x0+last+1, y+1))
		}
	}
	return box
}

// mergeClose joins clusters whose boxes overlap or nearly touch, until none
// do. Each round but the last leaves fewer clusters, of at most maxClusters.
func mergeClose(e *effort, clusters []*cluster) []*cluster {
	for merged := true; merged; {
		merged = false
		for i := 0; i < len(clusters); i++ {
			e.check()
			near := clusters[i].box.Inset(-mergeGap)
			for j := i + 1; j < len(clusters); {
				if !near.Overlaps(clusters[j].box) {
					j++
					continue
				}
				clusters[i].absorb(clusters[j])
				near = clusters[i].box.Inset(-mergeGap)
				clusters = slices.Delete(clusters, j, j+1)
				merged = true
			}
		}
	}
	return clusters
}

// absorb joins another cluster into this one.
func (c *cluster) absorb(other *cluster) {
	c.box = c.box.Union(other.box)
	c.pixels += other.pixels
	c.delta += other.delta
	c.cells = append(c.cells, other.cells...)
}
