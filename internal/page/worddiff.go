package page

import (
	"slices"
	"strings"
)

// Limits of word differences.
const (
	maxWordEdits   = 400  // added or removed words; a text that differs more counts as replaced
	wordContext    = 4    // words shown around a change
	maxWordRunText = 300  // bytes of one run
	maxWordText    = 3000 // bytes of all runs together
	wordRunSize    = 20   // bytes of a run in addition to its text
)

// WordRunKind is what happened to a run of words.
type WordRunKind string

// The kinds of runs.
const (
	WordsKept    WordRunKind = "kept" // shown around a change
	WordsRemoved WordRunKind = "removed"
	WordsAdded   WordRunKind = "added"
)

// WordRun is a run of words to which the same happened. An ellipsis stands for omitted words.
type WordRun struct {
	Kind WordRunKind `json:"kind"`
	Text string      `json:"text"`
}

// WordDifference is the difference of two texts in words.
type WordDifference struct {
	Runs           []WordRun `json:"runs"` // with some words around each change
	Added, Removed int       // words
	LeftOut        bool      `json:"left_out,omitempty"` // there are more changes than the runs show
}

// compareWords finds which words were removed and added. It ignores white space.
func compareWords(before, after string) WordDifference {
	was, is := strings.Fields(before), strings.Fields(after)
	start := 0
	for start < min(len(was), len(is)) && was[start] == is[start] {
		start++
	}
	end := 0
	for end < min(len(was), len(is))-start && was[len(was)-1-end] == is[len(is)-1-end] {
		end++
	}
	runs := []wordRun{{WordsKept, was[:start]}}
	runs = append(runs, wordEdits(was[start:len(was)-end], is[start:len(is)-end])...)
	runs = append(runs, wordRun{WordsKept, was[len(was)-end:]})
	d := WordDifference{}
	for _, r := range runs {
		switch r.kind {
		case WordsAdded:
			d.Added += len(r.words)
		case WordsRemoved:
			d.Removed += len(r.words)
		}
	}
	d.tell(runs)
	return d
}

type wordRun struct {
	kind  WordRunKind
	words []string
}

// wordEdits turns one list of words into another with the fewest edits, by the greedy algorithm of Eugene W. Myers, "An
// O(ND) Difference Algorithm and Its Variations", Algorithmica 1 (1986). Lists that need more than maxWordEdits edits
// are replaced as a whole. Between two kept runs, the removed run comes before the added one.
func wordEdits(was, is []string) []wordRun {
	trail := editTrail(was, is)
	if trail == nil {
		return []wordRun{{WordsRemoved, was}, {WordsAdded, is}}
	}
	var steps []wordRun // from the end
	x, y := len(was), len(is)
	for d := len(trail) - 1; d > 0; d-- {
		reached := func(k int) int { return trail[d][k+d+1] }
		k := x - y
		if k == -d || k != d && reached(k-1) < reached(k+1) {
			fromX := reached(k + 1)
			fromY := fromX - k - 1
			steps = append(steps, wordRun{WordsKept, was[fromX:x]}, wordRun{WordsAdded, is[fromY : fromY+1]})
			x, y = fromX, fromY
		} else {
			fromX := reached(k - 1)
			steps = append(steps, wordRun{WordsKept, was[fromX+1 : x]}, wordRun{WordsRemoved, was[fromX : fromX+1]})
			x, y = fromX, fromX-k+1
		}
	}
	return gather(append(steps, wordRun{WordsKept, was[:x]}))
}

// editTrail returns, for each number of edits d, how many words of was each diagonal k had consumed after d-1 edits, at
// index k+d+1. It is nil when maxWordEdits are not enough.
func editTrail(was, is []string) [][]int {
	const middle = maxWordEdits + 1
	var trail [][]int
	v := make([]int, 2*middle+1)
	for d := range maxWordEdits + 1 {
		trail = append(trail, slices.Clone(v[middle-d-1:middle+d+2]))
		for k := -d; k <= d; k += 2 {
			x := v[middle+k-1] + 1
			if k == -d || k != d && v[middle+k-1] < v[middle+k+1] {
				x = v[middle+k+1]
			}
			for x < len(was) && x-k < len(is) && was[x] == is[x-k] {
				x++
			}
			v[middle+k] = x
			if x >= len(was) && x-k >= len(is) {
				return trail
			}
		}
	}
	return nil
}

// gather merges steps, which come in reverse order, into runs.
func gather(steps []wordRun) []wordRun {
	var runs []wordRun
	removed, added := wordRun{kind: WordsRemoved}, wordRun{kind: WordsAdded}
	flush := func() {
		for _, r := range []*wordRun{&removed, &added} {
			if len(r.words) > 0 {
				runs = append(runs, *r)
				r.words = nil
			}
		}
	}
	for _, s := range slices.Backward(steps) {
		switch {
		case s.kind == WordsRemoved:
			removed.words = append(removed.words, s.words...)
		case s.kind == WordsAdded:
			added.words = append(added.words, s.words...)
		case len(s.words) > 0:
			flush()
			runs = append(runs, s)
		}
	}
	flush()
	return runs
}

// tell converts the runs to texts, with some words around each change, as far as the limits allow.
func (d *WordDifference) tell(runs []wordRun) {
	room := maxWordText
	for i, r := range runs {
		if len(r.words) == 0 {
			continue
		}
		text := strings.Join(r.words, " ")
		if r.kind == WordsKept {
			text = wordsAround(r.words, i > 0 && len(d.Runs) > 0, i < len(runs)-1 && changesFollow(runs[i+1:]))
		}
		text = Ellipsis(text, maxWordRunText)
		if text == "" {
			continue
		}
		if room -= len(text) + wordRunSize; room < 0 {
			d.LeftOut = changesFollow(runs[i:])
			return
		}
		d.Runs = append(d.Runs, WordRun{r.kind, text})
	}
}

func changesFollow(runs []wordRun) bool {
	return slices.ContainsFunc(runs, func(r wordRun) bool { return r.kind != WordsKept && len(r.words) > 0 })
}

// wordsAround returns the kept words next to a change before and after them.
func wordsAround(words []string, behind, ahead bool) string {
	switch {
	case behind && ahead && len(words) <= 2*wordContext:
		return strings.Join(words, " ")
	case behind && ahead:
		return strings.Join(words[:wordContext], " ") + " … " + strings.Join(words[len(words)-wordContext:], " ")
	case behind:
		return strings.Join(words[:min(len(words), wordContext)], " ")
	case ahead:
		return strings.Join(words[max(0, len(words)-wordContext):], " ")
	}
	return ""
}
