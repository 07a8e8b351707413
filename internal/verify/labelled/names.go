package labelled

import "strings"

// namer names classes as one of the ways in which people do. What a framework or a third party brings along keeps its name
// in all of them.
type namer int

// class is the class attribute of one of our own things, named by words: "latest posts item".
func (n namer) class(words string) string {
	parts := strings.Fields(words)
	switch n {
	case 1: // block, element
		return strings.Replace(strings.Join(parts, "-"), "-", "__", 1)
	case 2: // modules
		for i := range parts {
			parts[i] = strings.ToUpper(parts[i][:1]) + parts[i][1:]
		}
		return strings.Join(parts, "_") + "__" + letters(words)
	case 3: // utilities: they tell how it looks, not what it is
		return "u-" + letters(words)
	}
	return strings.Join(parts, "-")
}

// letters is a short hash of words.
func letters(words string) string {
	h := uint32(2166136261)
	for i := range len(words) {
		h = (h ^ uint32(words[i])) * 16777619
	}
	text := make([]byte, 5)
	for i := range text {
		text[i] = "abcdefghijklmnopqrstuvwxyz"[h%26]
		h /= 26
	}
	return string(text)
}

// Has tells whether a class attribute names the words, in any of the ways.
func Has(classes, words string) bool {
	for _, c := range strings.Fields(classes) {
		for n := range Variants {
			if c == namer(n).class(words) {
				return true
			}
		}
	}
	return false
}
