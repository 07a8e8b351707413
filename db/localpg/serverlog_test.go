package localpg

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestServerLogIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "postgres.log")
	log, err := openServerLog(path)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	write := func(text string) {
		t.Helper()
		if _, err := log.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	const limit = 10
	write("0123456789")
	if err := trimServerLog(path, limit); err != nil {
		t.Fatal(err)
	}
	expect(t, path, "0123456789")
	write("abcdef")
	if err := trimServerLog(path, limit); err != nil {
		t.Fatal(err)
	}
	write("next") // the server's open file goes on at the new end
	expect(t, path, "next")
	expect(t, path+".1", "6789abcdef")
	if got := serverLogSince(path, 2); got != "xt" {
		t.Errorf("got %q", got)
	}
}

func expect(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, []byte(want)) {
		t.Errorf("%s: got %q, %v, want %q", path, got, err, want)
	}
}
