package chrome

import (
	"os"
	"path/filepath"
	"testing"
)

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// fontMachine is a folder like /etc/fonts beside a folder of fonts.
func fontMachine(t *testing.T) (config, fonts string) {
	t.Helper()
	dir := t.TempDir()
	config, fonts = filepath.Join(dir, "etc"), filepath.Join(dir, "fonts")
	write(t, filepath.Join(config, "fonts.conf"), `<fontconfig><dir>`+fonts+`</dir><dir prefix="xdg">fonts</dir></fontconfig>`)
	write(t, filepath.Join(fonts, "sans", "A.TTF"), "glyphs of A")
	return config, fonts
}

func fingerprint(t *testing.T, config string) string {
	t.Helper()
	print, err := fontsFingerprint(config)
	if err != nil || len(print) != fontsLength {
		t.Fatalf("%q, %v", print, err)
	}
	return print
}

func TestTheFingerprintOfFontsIsOfWhatTheyDraw(t *testing.T) {
	config, fonts := fontMachine(t)
	first := fingerprint(t, config)
	write(t, filepath.Join(fonts, "readme.txt"), "no font")
	write(t, filepath.Join(fonts, "copy.ttf"), "glyphs of A")
	if got := fingerprint(t, config); got != first {
		t.Errorf("a text and a copy changed %s to %s", first, got)
	}
	write(t, filepath.Join(fonts, "b.otf"), "glyphs of B")
	second := fingerprint(t, config)
	write(t, filepath.Join(config, "conf.d", "10-hinting.conf"), "<fontconfig/>")
	third := fingerprint(t, config)
	if second == first || third == second {
		t.Errorf("fingerprints %s, %s, %s; a new font and a new rule must show", first, second, third)
	}
}

func TestAMachineWithoutFontsHasAFingerprint(t *testing.T) { fingerprint(t, t.TempDir()) }
