package compare

import (
	"image"
	"strings"
	"testing"

	"afterimage/internal/page"
	"afterimage/vcd"
)

// TestWhatNoPixelCountsOfIsTold: people see words and a card in nearly the same colour. Neither is equal, alone on its
// page as it is.
func TestWhatNoPixelCountsOfIsTold(t *testing.T) {
	const html = `<style>p{color:#333}.card{background:#efe6d2;width:300px;height:60px}</style><h1>The pier</h1>
		<p>Boats leave every hour.</p><div class="card"></div>`
	edits := []struct{ old, new, says string }{
		{"", "", ""},
		{"#333", "#3c3c4a", "text colour #333333 → #3c3c4a"},
		{"#efe6d2", "#efe6d6", "background #efe6d2 → #efe6d6"},
		{"#efe6d2", "#efe6d3", ""}, // one level: nobody sees it
	}
	documents := []document{{"", "/", html}}
	for _, e := range edits {
		documents = append(documents, document{"", "/", strings.Replace(html, e.old, e.new, 1)})
	}
	shots := captureAll(t, documents)
	for _, shot := range shots {
		shot.FinalURL = "https://www.example.com/"
	}
	r := newRun(nil, &Options{Before: site(t, "https://www.example.com"), After: site(t, "https://preview.example.com")}, nil, nil)
	for i, e := range edits {
		p := &Pair{}
		if err := r.judge(t.Context(), p, shots[0], shots[i+1], nil); err != nil {
			t.Fatal(err)
		}
		p.settle()
		var told []string
		for _, f := range p.Findings {
			told = append(told, string(f.Category)+" "+f.Description)
		}
		if (p.Outcome == Equal) != (e.says == "") || !strings.Contains(strings.Join(told, " "), e.says) || p.Pixels != 0 {
			t.Errorf("%q → %q is %s, %d pixels: %q", e.old, e.new, p.Outcome, p.Pixels, told)
		}
	}
}

// subtlePages are pages of which a colour or a character changes, by less than what a comparison of pixels counts. Where nothing is said,
// nobody is to be told.
var subtlePages = []struct{ html, old, new, says string }{
	{`<style>div{position:relative;width:600px;height:200px}div::before{content:"";position:absolute;inset:0;background:@}</style>
		<div></div>`,
		"#e8eef4", "#e8eef8", "background of generated content"},
	{`<style>div{position:relative;width:600px;height:200px}div::after{content:"";position:absolute;inset:0;z-index:-1;background:@}</style>
		<div><p>Card</p></div>`, "#e8eef4", "#e8eef8", "background of generated content"},
	{`<style>h2::after{content:"";display:block;width:400px;height:30px;background:@}</style><h2>Prices</h2>`,
		"#e8eef4", "#e8eef7", "background of generated content"},
	{`<style>h2::after{content:"";display:block;width:400px;height:30px;background:@}</style><h2>Prices</h2>`, "#e8eef4", "#e8eef5", ""},
	{`<style>p::after{content:" per pound and year";color:@}</style><p>Price`, "#555555", "#59595f", "text colour of generated content"},
	{`<iframe width=600 height=300 srcdoc="<body style='background:@'>Hello"></iframe>`, "#e8eef4", "#e8eef8", "Frame"},
	{`<iframe width=600 height=300 srcdoc="<div style='background:@;width:90px;height:90px'>"></iframe>`, "#e8eef4", "#eceef4", "Frame"},
	{`<iframe width=600 height=300 srcdoc="<iframe srcdoc='<body bgcolor=@>'>"></iframe>`, "#e8eef4", "#e8f2f4", "Frame"},
	{`<svg width=600 height=200><rect width=600 height=200 fill="@"/></svg>`, "#e8eef4", "#e8eef8", "Drawing"},
	{`<style>g{fill:@}</style><svg width=600 height=200><g><circle cx=100 cy=100 r=90 /></g></svg>`, "#e8eef4", "#e8eef8", "Drawing"},
	{`<svg width=600 height=200><circle cx=300 cy=100 r=80 fill=none stroke-width=30 stroke="@"/></svg>`, "#e8eef4", "#e8eef8", "Drawing"},
	{`<svg width=600 height=200><rect width=600 height=200 fill="@"/></svg>`, "#e8eef4", "#e8eef6", ""},
	{`<img width=300 height=200 src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Crect width='300' height='200'
		fill='%23@'/%3E%3C/svg%3E">`, "e8eef4", "e8eef8", "Picture"},
	{`<canvas width=400 height=200></canvas>` + drawn(`x.fillStyle="@";x.fillRect(0,0,400,200)`), "#e8eef4", "#e8eef8", "Canvas"},
	{`<canvas width=400 height=200></canvas>` + drawn(`x.fillStyle="@";for(i=0;i<5;i++)x.fillRect(i*80,200-i*40,60,i*40)`),
		"#e8eef4", "#e8eef9", "Canvas"},
	{`<canvas width=400 height=200></canvas>` + drawn(`g=x.createLinearGradient(0,0,400,0);g.addColorStop(0,"@");g.addColorStop(1,"@");
		x.fillStyle=g;x.fillRect(0,0,400,200)`), "#e8eef4", "#e8eefa", "Canvas"},
	{`<canvas width=400 height=200></canvas>` + noise, "1", "2", ""},
	{`<canvas width=400 height=200></canvas>` + noise + drawn(`i=new Image;i.onload=()=>x.drawImage(i,0,0);
		i.src=x.canvas.toDataURL("image/jpeg",@)`), ".90", ".94", ""},
	{`<canvas width=400 height=200></canvas>` + drawn(`for(i=0;i<400;i++){n=90+(i+@>>2)
		x.fillStyle="rgb("+[n,n,n]+")";x.fillRect(i,0,1,200)}`),
		"0", "1", ""},
	{`<div style="width:400px;height:200px;background:#fff;box-shadow:0 8px 40px @"></div>`, "#0000000f", "#00000017", "shadow"},
	{`<div style="width:400px;background:#fff;box-shadow:0 8px 40px @"><h2>Card</h2></div>`, "#0000000f", "#00000017", "shadow"},
	{`<style>*{accent-color:@}</style><input type=checkbox checked>`, "#0a58ca", "#0a58d2", "accent colour"},
	{`<style>:root{accent-color:@}</style><p>Volume<p><input type=range>`, "#0a58ca", "#0a58d0", "accent colour"},
	{`<style>:root{accent-color:@}</style><p>Nothing has it`, "#0a58ca", "#0a58d0", ""},
	{`<p>Assam costs @`, "1.00", "1,00", "1,00"},
	{`<svg width=400 height=60><text y=40>Assam costs <tspan>@</tspan></text></svg>`, "1.00", "1,00", "1,00"},
	{`<svg width=400 height=60><text y=40>Assam</text><text y=40 opacity=0>@</text></svg>`, "1.00", "1,00", ""},
	{`<iframe width=500 height=200 srcdoc="<p>Assam costs @"></iframe>`, "1.00", "1,00", "1,00"},
	{`<iframe width=500 height=200 srcdoc="<h2>Prices</h2><iframe srcdoc='Assam costs @'>"></iframe>`, "1.00", "1,00", "1,00"},
	{`<iframe width=500 height=200 srcdoc="<table><tr><td>Assam<td>@</table>"></iframe>`, "little", "much", "much"},
	{`<iframe width=500 height=200 srcdoc="<p>Assam<p style='opacity:0'>@"></iframe>`, "1.00", "1,00", ""},
}

// drawn draws on the canvas of a page.
func drawn(script string) string {
	return `<script>x=document.querySelector("canvas").getContext("2d");` + script + `</script>`
}

// noise is like a photograph: each of its pixels differs a little from that of another seed.
var noise = drawn(`s=@*7919%97+1;p=x.createImageData(400,200);for(i=0;i<p.data.length;i++){s=s*48271%2147483647;
	p.data[i]=i%4==3?255:60+(i>>2)%400/4+s%7}x.putImageData(p,0,0)`)

// TestColoursAndCharactersThatNoPixelCountsOfAreTold: in generated content, frames, drawings, pictures, shadows and controls.
func TestColoursAndCharactersThatNoPixelCountsOfAreTold(t *testing.T) {
	var documents []document
	for _, p := range subtlePages {
		const head = `<h1>The pier</h1><p>Boats leave every hour.</p>`
		documents = append(documents, document{"", "/", head + strings.ReplaceAll(p.html, "@", p.old)},
			document{"", "/", head + strings.ReplaceAll(p.html, "@", p.new)})
	}
	shots := captureAll(t, documents)
	for _, shot := range shots {
		shot.FinalURL = "https://www.example.com/"
	}
	r := newRun(nil, &Options{Before: site(t, "https://www.example.com"), After: site(t, "https://preview.example.com")}, nil, nil)
	for i, page := range subtlePages {
		p := &Pair{}
		if err := r.judge(t.Context(), p, shots[2*i], shots[2*i+1], nil); err != nil {
			t.Fatal(err)
		}
		p.settle()
		var told []string
		for _, f := range p.Findings {
			told = append(told, string(f.Category)+" "+f.Description)
		}
		if (p.Outcome == Equal) != (page.says == "") || !strings.Contains(strings.Join(told, " "), page.says) {
			t.Errorf("%s (%s → %s) is %s, %d pixels: %q", page.html, page.old, page.new, p.Outcome, p.Pixels, told)
		}
	}
}

// TestWhatSeveralElementsShareIsToldIfOneLiesElsewhere: an entry for several elements is not passed over for the place of its first one.
func TestWhatSeveralElementsShareIsToldIfOneLiesElsewhere(t *testing.T) {
	in, out := &page.Box{X: 20, Y: 20, Width: 50, Height: 20}, &page.Box{X: 20, Y: 500, Width: 50, Height: 20}
	ignore := []image.Rectangle{image.Rect(10, 10, 400, 60)}
	for name, c := range map[string]struct {
		f    vcd.Finding
		want bool
	}{
		"in the box":       {vcd.Finding{BoxBefore: in, BoxAfter: in}, true},
		"it came":          {vcd.Finding{BoxAfter: in}, true},
		"it left the box":  {vcd.Finding{BoxBefore: in, BoxAfter: out}, false},
		"nowhere":          {vcd.Finding{}, false},
		"all in the box":   {vcd.Finding{BoxAfter: in, Cause: &vcd.Cause{Elements: 2, Places: []*page.Box{in, in}}}, true},
		"one elsewhere":    {vcd.Finding{BoxAfter: in, Cause: &vcd.Cause{Elements: 2, Places: []*page.Box{in, out}}}, false},
		"places not known": {vcd.Finding{BoxAfter: in, Cause: &vcd.Cause{Elements: 90, Places: []*page.Box{in, in}}}, false},
	} {
		if got := isIgnored(&c.f, ignore); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestWhatIsIgnoredIsNotTold: a text in a box that is ignored is no change, whether or not something else of the page changed.
func TestWhatIsIgnoredIsNotTold(t *testing.T) {
	const html = `<style>p{position:absolute;left:20px;top:20px;width:300px;height:30px;margin:0;background:#efe6d2}
		h1{margin:90px 0 0}</style><h1>The pier</h1><p>`
	shots := captureAll(t, []document{{"", "/", html + "It is 9:00"}, {"", "/", html + "It is 10:15, and windy"},
		{"", "/", strings.Replace(html, "The pier", "The mole", 1) + "It is 10:15, and windy"}})
	r := newRun(nil, &Options{Before: site(t, "https://www.example.com"), After: site(t, "https://preview.example.com")}, nil, nil)
	for i, want := range []string{"", "Heading: “The pier” → “The mole”."} {
		shots[0].FinalURL, shots[i+1].FinalURL = "", ""
		shots[0].Content.Text, shots[i+1].Content.Text = "", ""
		p := &Pair{}
		if err := r.judge(t.Context(), p, shots[0], shots[i+1], []image.Rectangle{image.Rect(10, 10, 400, 60)}); err != nil {
			t.Fatal(err)
		}
		p.settle()
		var told []string
		for _, f := range p.Findings {
			told = append(told, f.Description)
		}
		if strings.Join(told, " ") != want || (p.Outcome == Equal) != (want == "") {
			t.Errorf("%s: %q, want %q", p.Outcome, told, want)
		}
	}
}
