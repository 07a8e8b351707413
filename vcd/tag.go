package vcd

import (
	"context"
	"fmt"
	"strings"
	"time"
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

// TagStore keeps tags. Names that it takes may be in any case; those that it returns are spelled as they were first used.
type TagStore interface {
	// Tags lists the account's tags with the number of their URLs, by name.
	Tags(ctx context.Context) ([]*Tag, error)
	// LockTags returns how the known ones among the names are spelled, by position; an unknown one is empty. These tags cannot be
	// deleted or renamed until the transaction ends.
	LockTags(ctx context.Context, names []string) ([]string, error)
	// EnsureTags does the same, and adds the unknown ones. More than MaxTags are CodeInvalid on field.
	EnsureTags(ctx context.Context, field string, names []string, now time.Time) ([]string, error)
	// TagURLs gives tags to URLs and returns those that did not have all of them. A URL with more than MaxTagsOfURL is CodeInvalid
	// on field.
	TagURLs(ctx context.Context, field string, urls []ID, tags []string) (changed []ID, err error)
	// UntagURLs takes tags from URLs and returns those that had some of them.
	UntagURLs(ctx context.Context, urls []ID, tags []string) (changed []ID, err error)
	// RenameTag fails with CodeNotFound when there is no such tag, and with CodeInvalid on "newName" when there is another one of
	// that name.
	RenameTag(ctx context.Context, name, newName string) error
	// DeleteTag takes it from all URLs, too.
	DeleteTag(ctx context.Context, name string) error
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
