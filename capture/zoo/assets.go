package zoo

import (
	"bytes"
	_ "embed"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"net/http"
	"time"
)

const maxSide = 8000 // pixels of a generated picture

// movingVideo has 320 × 180 pixels and lasts two seconds in which a bar crosses it. It was recorded from a canvas by Chromium's
// MediaRecorder.
//
//go:embed moving.webm
var movingVideo []byte

// addAssets serves what is no text.
func addAssets(mux *http.ServeMux) error {
	for name, loops := range map[string]int{"endless": 0, "once": -1} {
		picture, err := animation(loops)
		if err != nil {
			return err
		}
		mux.HandleFunc("GET /gif/"+name, serve("image/gif", picture))
	}
	picture, err := ending()
	if err != nil {
		return err
	}
	mux.HandleFunc("GET /gif/twice", serve("image/gif", picture))
	mux.HandleFunc("GET /image/{colour}/{size}", serveImage)
	mux.HandleFunc("GET /font/blocks.ttf", serve("font/ttf", blockFont()))
	mux.HandleFunc("GET /video/moving.webm", func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "moving.webm", time.Time{}, bytes.NewReader(movingVideo))
	})
	return nil
}

// serveImage answers /image/content/300x200 with a picture of one colour.
func serveImage(w http.ResponseWriter, r *http.Request) {
	c, known := colours[r.PathValue("colour")]
	var width, height int
	if _, err := fmt.Sscanf(r.PathValue("size"), "%dx%d", &width, &height); err != nil || !known || min(width, height) < 1 ||
		max(width, height) > maxSide {
		http.NotFound(w, r)
		return
	}
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{c})); err != nil {
		http.Error(w, "the picture cannot be made", http.StatusInternalServerError)
		return
	}
	serve("image/png", b.Bytes())(w, r)
}

// animation is a GIF of 300 × 200 pixels: a strip of content above, and a square that goes from left to right in 12 frames
// of 80 ms. Loops are those of image/gif: 0 for ever, -1 once.
func animation(loops int) ([]byte, error) {
	const frames, side = 12, 25
	palette := color.Palette{color.White, content, mover}
	movie := gif.GIF{LoopCount: loops}
	for n := range frames {
		frame := image.NewPaletted(image.Rect(0, 0, 300, 200), palette)
		fill(frame, image.Rect(0, 0, 300, 100), 1)
		fill(frame, image.Rect(n*side, 140, (n+1)*side, 140+side), 2)
		movie.Image = append(movie.Image, frame)
		movie.Delay = append(movie.Delay, 8)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, &movie); err != nil {
		return nil, fmt.Errorf("make the animation: %w", err)
	}
	return b.Bytes(), nil
}

// ending is a GIF of 300 × 200 pixels that plays two times: a strip of content above, and below it what only the last of its
// four frames of 120 ms does not show.
func ending() ([]byte, error) {
	palette := color.Palette{color.White, content, loader, third}
	movie := gif.GIF{LoopCount: 1} // once again
	for n := range 4 {
		frame := image.NewPaletted(image.Rect(0, 0, 300, 200), palette)
		fill(frame, image.Rect(0, 0, 300, 100), 1)
		below := uint8(2)
		if n == 3 {
			below = 3
		}
		fill(frame, image.Rect(100, 100, 200, 200), below)
		movie.Image, movie.Delay = append(movie.Image, frame), append(movie.Delay, 12)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, &movie); err != nil {
		return nil, fmt.Errorf("make the animation: %w", err)
	}
	return b.Bytes(), nil
}

func fill(picture *image.Paletted, area image.Rectangle, index uint8) {
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			picture.SetColorIndex(x, y, index)
		}
	}
}
