package capture

import (
	"math"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/internal/page"
)

// slack is how many pixels out of sight nobody scrolls for, as in scrollers.js.
const slack = 8

const mostClosedMoves = 200 // animations in such trees that are stopped

// listenForMoves asks the browser to tell of what is running, and goes on running when the page has been stilled: it does so with the
// frames that our script waits for.
func (r *run) listenForMoves() {
	world := r.events.world()
	if !r.clock.Virtual() || world == 0 {
		return
	}
	r.releaseClosedRoots()
	r.events.takeMoves()
	r.tab.Post(call(world, "halt"))
	r.tab.Post(proto.AnimationEnable{})
	r.closedMove = true
}

// stillClosedRoots stops what moves in shadow trees that scripts cannot enter, where it would be when the picture is taken is a matter
// of how many frames that took: what ends is put to its end, what is endless to its beginning. Only the browser knows of these
// animations.
func (r *run) stillClosedRoots() error {
	moves := r.events.takeMoves()
	if len(moves) == 0 {
		r.releaseClosedRoots()
		return nil
	}
	ids := make([]string, len(moves))
	for i, move := range moves {
		ids[i] = move.ID
		r.tab.Post(proto.AnimationSeekAnimations{Animations: ids[i : i+1], CurrentTime: restOf(move)})
	}
	_, err := r.await(proto.AnimationSetPaused{Animations: ids, Paused: true}, stillBudget)
	return err
}

// releaseClosedRoots lets go on what stillClosedRoots has stopped.
func (r *run) releaseClosedRoots() {
	if r.closedMove {
		r.tab.Post(proto.AnimationDisable{})
		r.closedMove = false
	}
}

// restOf returns where an animation is shown, in milliseconds from its beginning.
func restOf(move *proto.AnimationAnimation) float64 {
	ends := move.Source.Delay + move.Source.Duration*move.Source.Iterations + move.Source.EndDelay
	if move.Source.Iterations <= 0 || math.IsInf(ends, 0) || math.IsNaN(ends) || ends <= 0 { // no number of iterations stands for endless
		return 0
	}
	return ends
}

// leftInClosedRoots adds what scrolls in shadow trees that scripts cannot enter: only the browser's snapshot shows what is in
// them. Pages without such trees cost nothing.
func (r *run) leftInClosedRoots(seen *domSnapshot) error {
	s, err := readSnapshot(seen)
	if err != nil {
		return nil //nolint:nilerr // the elements were read from it: it is consistent
	}
	if r.shot.Manifest.ClosedTrees = s.closedTrees(); r.shot.Manifest.ClosedTrees == 0 {
		return nil
	}
	request := proto.DOMSnapshotCaptureSnapshot{ComputedStyles: []string{"overflow-x", "overflow-y"}, IncludeDOMRects: true}
	raw, err := r.await(request, elemBudget)
	if err != nil || raw == nil {
		return err
	}
	measured, err := decodeAnswer[domSnapshot](request, raw)
	if err != nil {
		return err
	}
	if s, err = readSnapshot(measured); err == nil {
		for _, part := range s.scrolledInClosedRoots() {
			r.size.Parts = append(r.size.Parts, leftPart{Missing: part})
		}
	}
	return err
}

// closedTrees counts the hosts of such trees.
func (s *snapshot) closedTrees() int {
	hosts := make(map[int]bool)
	for node, kind := range s.shadowTrees() {
		if kind == "closed" {
			hosts[s.nodes.ParentIndex[node]] = true
		}
	}
	return len(hosts)
}

// scrolledInClosedRoots lists the elements in closed shadow trees that scroll.
func (s *snapshot) scrolledInClosedRoots() []page.Missing {
	var parts []page.Missing
	kinds := s.shadowTrees()
	closed := make([]bool, len(s.boxes))
	for node, parent := range s.nodes.ParentIndex {
		closed[node] = kinds[node] == "closed" || parent >= 0 && closed[parent]
		row := s.boxes[node]
		if !closed[node] || s.tag(node) == "" || row < 0 || row >= len(s.layout.ScrollRects) || row >= len(s.layout.ClientRects) {
			continue
		}
		whole, shown := s.layout.ScrollRects[row], s.layout.ClientRects[row]
		if len(whole) != 4 || len(shown) != 4 || shown[3] <= 0 {
			continue
		}
		for axis, side := range [2]string{"right", "below"} {
			if more := int(whole[2+axis] - shown[2+axis]); more > slack && scrolls(s.style(node, axis)) {
				parts = append(parts, page.Missing{Kind: page.MissingScrolled, Element: s.tag(node), Side: side, Pixels: more})
			}
		}
	}
	return parts
}

func scrolls(overflow string) bool { return overflow == "auto" || overflow == "scroll" }
