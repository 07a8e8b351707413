package vcd

import (
	"fmt"
	"strings"
)

// Limits of tags.
const (
	MaxTags      = 200 // of an account
	MaxTagsOfURL = 20
	MaxTagLength = 50 // in characters
)

// Tag is a label that an account gives its URLs. Upper and lower case make no difference between tags.
type Tag struct {
	Name string
	URLs int // that have it
}

// CheckTags checks the names of tags and returns them without surplus spaces. At most limit are allowed.
func CheckTags(v *Validation, path string, names []string, limit int) []string {
	v.Check(len(names) <= limit, path, "max", fmt.Sprintf("The {field} field must not have more than %d items.", limit))
	if len(names) > limit {
		return nil
	}
	if names == nil {
		return nil
	}
	tags := make([]string, len(names))
	for i, name := range names {
		tags[i] = CheckTag(v, Indexed(path, i), name)
	}
	return tags
}

// CheckTag checks the name of a tag and returns it without surplus spaces.
func CheckTag(v *Validation, path, name string) string {
	name = strings.Join(strings.Fields(name), " ")
	before := len(v.Problems())
	v.Required(path, name, MaxTagLength)
	if len(v.Problems()) == before {
		v.Check(!strings.ContainsFunc(name, notInTags), path, "tag",
			"The {field} field must not contain commas, or characters that cannot be seen.")
	}
	return name
}

// notInTags holds for commas, which separate tags, and for characters that change how others are shown.
func notInTags(r rune) bool {
	return r == ',' || Hidden(r)
}
