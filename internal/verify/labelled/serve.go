package labelled

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
)

// Handler serves the pairs: /before/{pair}/ and /after/{pair}/, with the style sheets and pictures that the pages ask for.
func Handler() http.Handler {
	pairs := make(map[string]Pair)
	for _, p := range Pairs() {
		pairs[p.Name()] = p
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{side}/{pair}/{$}", func(w http.ResponseWriter, r *http.Request) {
		p, ok := pairs[r.PathValue("pair")]
		side := r.PathValue("side")
		if !ok || side != "before" && side != "after" {
			http.NotFound(w, r)
			return
		}
		before, after := p.documents()
		d := before
		if side == "after" {
			d = after
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(d.status)
		_, _ = w.Write([]byte(d.HTML()))
	})
	mux.HandleFunc("GET /style/{variant}/{sheet}", serveStyle)
	mux.HandleFunc("GET /picture/{seed}/{size}", servePicture)
	mux.HandleFunc("GET /frame/{seed}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, `<!doctype html><body style="margin:0"><img src="/picture/%s/300x250.jpg" alt="">`, r.PathValue("seed"))
	})
	return mux
}

var palettes = []struct{ page, ink, accent, soft string }{
	{"#ffffff", "#222222", "#0b6e4f", "#f1f5f2"}, {"#fffdf8", "#2b2118", "#a63d40", "#f6ede0"}, {"#ffffff", "#1b263b", "#2a6fdb",
		"#eef3fb"}, {"#fafafa", "#333333", "#6a4c93", "#efeaf5"},
}

func serveStyle(w http.ResponseWriter, r *http.Request) {
	number, err := strconv.Atoi(strings.TrimSuffix(r.PathValue("sheet"), ".css"))
	if err != nil || number < 0 || number >= len(palettes) {
		http.NotFound(w, r)
		return
	}
	p := palettes[number]
	font := map[string]string{"0": "sans-serif", "1": "serif", "2": "sans-serif", "3": "serif"}[r.PathValue("variant")]
	w.Header().Set("Content-Type", "text/css")
	_, _ = fmt.Fprintf(w, `*{box-sizing:border-box}body{margin:0;font:16px/1.5 %s;background:%s;color:%s}a{color:%s}img{max-width:100%%;`+
		`height:auto;display:block}
.site-header{display:flex;gap:32px;align-items:center;padding:16px 40px;border-bottom:1px solid #ccc;flex-wrap:wrap}`+
		`.site-nav{display:flex;gap:20px;flex-wrap:wrap}
.hero-area{padding:48px 40px;background:%s}.hero-area h1{font-size:40px;margin:0 0 12px}.hero-area a{display:inline-block;padding:10px `+
		`20px;background:%s;color:#fff;text-decoration:none;margin-bottom:24px}
.columns{display:flex;gap:40px;max-width:1200px;margin:0 auto;padding:24px 40px}main{flex:1;min-width:0}aside{width:280px;flex:none}`+
		`@media(max-width:700px){.columns{display:block;padding:16px}aside{width:auto}}
.part{margin-bottom:32px}.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(260px,1fr));gap:24px}.grid>div{padding:16px;`+
		`background:%s}button{padding:8px 16px;background:%s;color:#fff;border:0}
article{display:flex;gap:20px;margin-bottom:20px}article>img{flex:none;align-self:flex-start}form label{display:block;margin-bottom:12px}`+
		`input,textarea{padding:8px;border:1px solid #999;width:300px;max-width:100%%;display:block}
.site-footer{background:%s;color:#fff;padding:32px 40px;display:flex;gap:24px;flex-wrap:wrap}.site-footer a{color:#fff}.site-footer `+
		`p{width:100%%}`,
		font, p.page, p.ink, p.accent, p.soft, p.accent, p.soft, p.accent, p.ink)
}

// servePicture draws a picture: /picture/{seed}/{width}x{height}.jpg, with ?q= for the quality of the JPEG.
func servePicture(w http.ResponseWriter, r *http.Request) {
	seed, err := strconv.ParseUint(r.PathValue("seed"), 10, 64)
	var width, height int
	if _, serr := fmt.Sscanf(r.PathValue("size"), "%dx%d.jpg", &width, &height); err != nil || serr != nil || width < 1 || height < 1 ||
		width > 2000 || height > 2000 {
		http.NotFound(w, r)
		return
	}
	quality, err := strconv.Atoi(r.URL.Query().Get("q"))
	if err != nil || quality < 1 || quality > 100 {
		quality = 88
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, draw(seed, width, height), &jpeg.Options{Quality: quality}); err != nil {
		http.Error(w, "the picture could not be drawn", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "image/jpeg")
	_, _ = w.Write(b.Bytes())
}

// draw makes hills below a sky with some circles.
func draw(seed uint64, width, height int) image.Image {
	r := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // the same pictures each time
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	shade := func() [3]float64 { return [3]float64{r.Float64() * 255, r.Float64() * 255, r.Float64() * 255} }
	sky, ground, ball := shade(), shade(), shade()
	waves, phase := 1+r.Float64()*4, r.Float64()*6
	type circle struct{ x, y, radius float64 }
	circles := make([]circle, 4)
	for i := range circles {
		circles[i] = circle{r.Float64() * float64(width), r.Float64() * float64(height), (0.05 + 0.15*r.Float64()) * float64(height)}
	}
	for y := range height {
		for x := range width {
			fx, fy := float64(x), float64(y)
			light := 0.6 + 0.4*fy/float64(height)
			c := sky
			if fy > float64(height)*(0.6+0.15*math.Sin(fx/float64(width)*6.28*waves/2+phase)) {
				c = ground
			}
			for _, o := range circles {
				if math.Hypot(fx-o.x, fy-o.y) < o.radius {
					c = ball
				}
			}
			picture.SetRGBA(x, y, color.RGBA{uint8(c[0] * light), uint8(c[1] * light), uint8(c[2] * light), 255})
		}
	}
	return picture
}
