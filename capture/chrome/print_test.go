package chrome

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// pagesOf counts the pages of a PDF file.
func pagesOf(pdf []byte) int { return bytes.Count(pdf, []byte("/Type /Page\n")) }

func TestADocumentIsPrintedOnPages(t *testing.T) {
	const dot = `<img src="data:image/gif;base64,R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==">`
	document := `<!doctype html><title>A report</title><style>@page{size:A4} h1{break-before:page}</style>` +
		strings.Repeat("<h1>A chapter</h1>"+dot, 3)
	pdf, err := pool.Print(t.Context(), document, `<p style="font-size:8px">Page <span class="pageNumber"></span></p>`)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(pdf, []byte("%PDF-")) || pagesOf(pdf) != 3 {
		t.Errorf("%d bytes, %d pages: %.20q", len(pdf), pagesOf(pdf), pdf)
	}
}

// TestAPrintedDocumentReachesNobody: what somebody smuggles into a document neither loads anything, nor reads files, nor runs.
func TestAPrintedDocumentReachesNobody(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer server.Close()
	document := fmt.Sprintf(`<!doctype html><link rel="stylesheet" href="%[1]s/style.css"><img src="%[1]s/a.png">
		<iframe src="%[1]s/frame"></iframe><iframe src="file:///etc/hostname" height="900"></iframe>
		<meta http-equiv="refresh" content="0;url=%[1]s/away"><object data="%[1]s/object"></object>
		<script>document.body.innerHTML = "<h1 style='break-before:page'>ran</h1>".repeat(9)</script><p>Quiet`, server.URL)
	pdf, err := pool.Print(t.Context(), document, "")
	if err != nil {
		t.Fatal(err)
	}
	if n := pagesOf(pdf); n > 2 {
		t.Errorf("%d pages: the script ran", n)
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("%d requests arrived", n)
	}
}

func TestPrintingHearsItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := pool.Print(ctx, "<p>Never", ""); !errors.Is(err, context.Canceled) {
		t.Errorf("err %v", err)
	}
	if _, err := pool.Print(t.Context(), "<p>Afterwards", ""); err != nil {
		t.Errorf("the next one: %v", err)
	}
}
