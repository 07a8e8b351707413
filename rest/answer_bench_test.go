package rest

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkAnswerList cuts a list of 500 comparisons, 73 kB, into the envelope of an answer.
func BenchmarkAnswerList(b *testing.B) {
	const node = `{"id":"0190a1b2-0000-7000-8000-%012d","status":"new","url":{"id":"x","title":"a \"quoted\" title"},"image":null,` +
		`"difference_percent":0.%[1]d}`
	var nodes []string
	for i := range 500 {
		nodes = append(nodes, fmt.Sprintf(node, i))
	}
	o := outcome{
		data:      []byte(`{"data":{"list":{"nodes":[` + strings.Join(nodes, ",") + `],"total":12345}}}`),
		variables: map[string]any{pageVariable: int64(1), perPageVariable: int64(500)},
	}
	b.SetBytes(int64(len(o.data)))
	for b.Loop() {
		if _, err := answerList(o); err != nil {
			b.Fatal(err)
		}
	}
}
