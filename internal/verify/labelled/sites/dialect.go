package sites

import "strings"

// dialect is a way of naming classes.
type dialect int

const (
	plain   dialect = iota // what it is: "price"
	blocks                 // block and element: "card__price"
	utility                // how it looks: "flex p-4 text-sm"
	hashed                 // made by a tool: "css-k3f9a"
	nameless
)

// looks are the utility classes that a role gets some of.
var looks = strings.Fields("flex grid block relative p-2 p-4 px-6 mt-4 mb-8 gap-4 text-sm text-lg font-bold leading-6 rounded-md " +
	"border shadow-sm bg-white w-full max-w-xl items-center justify-between tracking-tight overflow-hidden")

func (d dialect) class(role string) string {
	if role == "" {
		return ""
	}
	switch d {
	case blocks:
		head, tail, _ := strings.Cut(role, "-")
		if tail == "" {
			return "b-" + head
		}
		return head + "__" + tail
	case utility:
		seed := hash(role)
		var chosen []string
		for range 2 + seed%3 {
			seed = seed*6364136223846793005 + 1442695040888963407
			chosen = append(chosen, looks[seed>>33%uint64(len(looks))])
		}
		return strings.Join(chosen, " ")
	case hashed:
		seed := hash(role)
		name := []byte("css-")
		for range 5 {
			name = append(name, "abcdefghijklmnopqrstuvwxyz0123456789"[seed%36])
			seed /= 36
		}
		return string(name)
	case nameless:
		return ""
	}
	return role
}

// hash is FNV-1a.
func hash(text string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h
}
