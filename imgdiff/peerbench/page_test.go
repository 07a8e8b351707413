package main

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"
	"time"
)

func TestPages(t *testing.T) {
	plain := writePage(change{})
	if plain != writePage(change{}) {
		t.Error("the same page is written in two ways")
	}
	for _, s := range scenes {
		page := writePage(s.change)
		if (page == plain) != (s.change == change{}) {
			t.Errorf("%s: the page is the plain one: %v", s.name, page == plain)
		}
		if s.change.words && len(page) != len(plain) {
			t.Errorf("%s: other words take %d bytes, the plain ones %d", s.name, len(page), len(plain))
		}
	}
	if n := strings.Count(plain, "<img"); n < 30 {
		t.Errorf("the page has %d pictures only", n)
	}
}

func TestPhotos(t *testing.T) {
	first, err := writePhoto(1)
	if err != nil {
		t.Fatal(err)
	}
	second, err := writePhoto(2)
	if err != nil {
		t.Fatal(err)
	}
	again, err := writePhoto(1)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, again) || bytes.Equal(first, second) {
		t.Error("photographs do not follow their numbers")
	}
}

func TestAddComment(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	with := addComment(b.Bytes())
	if bytes.Equal(with, b.Bytes()) {
		t.Error("nothing was added")
	}
	if _, err := png.Decode(bytes.NewReader(with)); err != nil {
		t.Errorf("the picture is damaged: %v", err)
	}
}

// TestMeasure runs rounds on a contender of every sort, without any process.
func TestMeasure(t *testing.T) {
	contenders := []contender{{Name: "ours", Ours: true}, {Name: "half as fast"}, {Name: "strict", OneSize: true}, {Name: "slow"}}
	took := []time.Duration{time.Millisecond, 2 * time.Millisecond, 0, 2 * slow}
	calls := make([]int, len(contenders))
	r := measure(pair{Scene: "taller"}, contenders, 6, true, func(i int) sample {
		calls[i]++
		return sample{took: took[i]}
	})
	if got := r.Cells[1]; got.Median != 2 || got.Ratio != 2 || len(got.Samples) != 5 {
		t.Errorf("half as fast: %+v", got)
	}
	if r.Cells[2].Error != refusal || calls[2] != 0 {
		t.Errorf("strict: %+v", r.Cells[2])
	}
	if calls[3] != 2 || len(r.Cells[3].Samples) != 1 {
		t.Errorf("slow: %d rounds, %+v", calls[3], r.Cells[3])
	}
}

func TestMedian(t *testing.T) {
	for _, test := range []struct {
		values []float64
		want   float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{4, 1, 2}, 2}, {[]float64{4, 1, 2, 3}, 2.5}} {
		if got := median(test.values); got != test.want {
			t.Errorf("median of %v is %v", test.values, got)
		}
	}
}
