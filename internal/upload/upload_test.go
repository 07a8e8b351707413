package upload

import (
	"bytes"
	"image"
	"image/png"
	"testing"

	"afterimage/imgdiff"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
)

// The sentence of a refusal agrees with itself: files of fewer bits are taken, and of this one only what is wrong is told.
func TestWhatIsWrongWithAPicture(t *testing.T) {
	var deep bytes.Buffer
	vcdtest.Must(t, png.Encode(&deep, image.NewGray16(image.Rect(0, 0, 4, 4))))
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"bits":  {deep.Bytes(), "it has 16 bits per sample."},
		"other": {[]byte("GIF89a"), "it is not a PNG file."},
	} {
		_, _, err := imgdiff.CheckPNG(t.Context(), c.file, MaxPixels)
		want := vcd.Invalid("picture", "png", "The {field} must be a PNG file with at most 8 bits per sample, not interlaced: "+c.want)
		if got := refusal(err); got.Error() != want.Error() {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
