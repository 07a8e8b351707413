package noise

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
)

// Window is the number of newest pairs of visits that count; what is older is forgotten.
const Window = 32

// Pairs is a set of the newest observed pairs of visits: bit 0 is the newest.
type Pairs uint32

// Count is the number of pairs in the set.
func (p Pairs) Count() int { return bits.OnesCount32(uint32(p)) }

// value is something that a part has shown, by its hash or as a number, and the pairs in which it came.
type value struct {
	V  uint32
	In Pairs
}

// values are the values of one property of a part, bounded. They are stored as a list of numbers, two for each value.
type values []value

// MarshalJSON implements json.Marshaler.
func (v values) MarshalJSON() ([]byte, error) {
	list := make([]byte, 0, 2+20*len(v))
	list = append(list, '[')
	for i, x := range v {
		if i > 0 {
			list = append(list, ',')
		}
		list = strconv.AppendUint(list, uint64(x.V), 10)
		list = append(list, ',')
		list = strconv.AppendUint(list, uint64(x.In), 10)
	}
	return append(list, ']'), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (v *values) UnmarshalJSON(stored []byte) error {
	var list []uint32
	if err := json.Unmarshal(stored, &list); err != nil {
		return fmt.Errorf("decode values: %w", err)
	}
	*v = nil
	for i := 0; i+1 < len(list); i += 2 {
		*v = append(*v, value{list[i], Pairs(list[i+1])})
	}
	return nil
}

// add notes that a value was there in the given pairs. When there are too many values, the one that was seen longest ago is
// forgotten.
func (v *values) add(what uint32, in Pairs, most int) {
	for i := range *v {
		if (*v)[i].V == what {
			(*v)[i].In |= in
			return
		}
	}
	*v = append(*v, value{what, in})
	if len(*v) > most {
		oldest := slices.MaxFunc(*v, func(a, b value) int {
			return cmp.Compare(bits.TrailingZeros32(uint32(a.In)), bits.TrailingZeros32(uint32(b.In)))
		})
		*v = slices.DeleteFunc(*v, func(x value) bool { return x == oldest })
	}
}

// age makes room for a new pair.
func (v *values) age() {
	for i := range *v {
		(*v)[i].In <<= 1
	}
	*v = slices.DeleteFunc(*v, func(x value) bool { return x.In == 0 })
}

// without are the values that came in a pair other than the excluded ones.
func (v values) without(excluded Pairs) values {
	var kept values
	for _, x := range v {
		if x.In&^excluded != 0 {
			kept = append(kept, x)
		}
	}
	return kept
}

func (v values) has(what uint32) bool {
	return slices.ContainsFunc(v, func(x value) bool { return x.V == what })
}

// reach are the smallest and the largest of the values as numbers.
func (v values) reach() (least, most int) {
	for i, x := range v {
		if i == 0 || int(x.V) < least {
			least = int(x.V)
		}
		most = max(most, int(x.V))
	}
	return least, most
}

// different is the number of different values, up to a few.
func (v values) different() int {
	var seen [leastDifferent]uint32
	n := 0
	for _, x := range v {
		if n < len(seen) && !slices.Contains(seen[:n], x.V) {
			seen[n] = x.V
			n++
		}
	}
	return n
}
