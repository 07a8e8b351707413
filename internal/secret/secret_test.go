package secret_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"afterimage/internal/secret"
)

func newBox(t *testing.T, fill byte) *secret.Box {
	t.Helper()
	key := make([]byte, secret.KeySize)
	for i := range key {
		key[i] = fill
	}
	box, err := secret.NewBox(key)
	if err != nil {
		t.Fatal(err)
	}
	return box
}

func TestSealedSecretsOpenOnlyForTheirPurposeAndKey(t *testing.T) {
	box := newBox(t, 1)
	sealed, err := box.Seal("password", "correct horse")
	if err != nil {
		t.Fatal(err)
	}
	if plain, err := box.Open("password", sealed); err != nil || plain != "correct horse" {
		t.Errorf("open = %q, %v", plain, err)
	}
	flipped := append([]byte{}, sealed...)
	flipped[len(flipped)-1] ^= 1
	for name, try := range map[string]func() (string, error){
		"other purpose": func() (string, error) { return box.Open("token", sealed) },
		"other key":     func() (string, error) { return newBox(t, 2).Open("password", sealed) },
		"flipped bit":   func() (string, error) { return box.Open("password", flipped) },
		"cut short":     func() (string, error) { return box.Open("password", sealed[:5]) },
		"empty":         func() (string, error) { return box.Open("password", nil) },
	} {
		if _, err := try(); !errors.Is(err, secret.ErrOpen) {
			t.Errorf("%s: error = %v, want ErrOpen", name, err)
		}
	}
}

func TestTheSameSecretIsSealedDifferentlyEachTime(t *testing.T) {
	box := newBox(t, 1)
	a, errA := box.Seal("p", "x")
	b, errB := box.Seal("p", "x")
	if errA != nil || errB != nil || string(a) == string(b) {
		t.Errorf("two seals are alike: %x %x (%v, %v)", a, b, errA, errB)
	}
}

func TestKeyFileIsMadeOnceEvenWhenManyStart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret.key")
	keys := make([][]byte, 8)
	var wg sync.WaitGroup
	for i := range keys {
		wg.Go(func() {
			made, err := secret.MakeKey(path)
			if err != nil || len(made) != 1 {
				t.Errorf("made %d keys: %v", len(made), err)
				return
			}
			keys[i] = made[0]
		})
	}
	wg.Wait()
	for i := range keys {
		if string(keys[i]) != string(keys[0]) {
			t.Errorf("key %d differs", i)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode = %v, %v; want 0600", info.Mode(), err)
	}
	if err := os.WriteFile(path, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := secret.ReadKeys(path); err == nil {
		t.Error("a damaged key file was accepted")
	}
}

// TestKeysChangeOneByOne: what either key sealed opens while both are there, and is sealed anew with the first only.
func TestKeysChangeOneByOne(t *testing.T) {
	older, newer := strings.Repeat("A", 43)+"=", strings.Repeat("B", 42)+"A="
	box := func(text string) *secret.Box {
		keys, err := secret.ParseKeys(text)
		if err != nil {
			t.Fatal(err)
		}
		b, err := secret.NewBox(keys[0], keys[1:]...)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	before, both, after := box(older), box(newer+"\n"+older+"\n"), box(newer)
	sealed, err := before.Seal("purpose", "plain")
	if err != nil {
		t.Fatal(err)
	}
	if plain, err := both.Open("purpose", sealed); err != nil || plain != "plain" {
		t.Errorf("with both keys: %q, %v", plain, err)
	}
	if _, err := after.Open("purpose", sealed); err == nil {
		t.Error("the newer key alone opens what the older one sealed")
	}
	renewed, err := both.Reseal("purpose", sealed)
	if err != nil {
		t.Fatal(err)
	}
	if plain, err := after.Open("purpose", renewed); err != nil || plain != "plain" {
		t.Errorf("sealed anew: %q, %v", plain, err)
	}
	if again, err := both.Reseal("purpose", renewed); err != nil || again != nil {
		t.Errorf("sealed anew twice: %x, %v", again, err)
	}
	if _, err := both.Reseal("another purpose", sealed); err == nil {
		t.Error("a secret is sealed anew for another purpose")
	}
	for _, bad := range []string{"", " \n", older + " short", strings.Repeat(older+" ", 9)} {
		if _, err := secret.ParseKeys(bad); err == nil {
			t.Errorf("the keys %.20q were accepted", bad)
		}
	}
}
