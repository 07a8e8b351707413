package labelled

import (
	"fmt"
	"strings"
)

// The same page, drawn or built in another way.

func textRendering(p *pair) {
	style := []string{"main{transform:translateX(.35px)}", "main{opacity:.995}", "main{letter-spacing:.004px}",
		"main{transform:translateY(.3px)}"}[p.variant]
	p.after.styles = append(p.after.styles, style)
}

func layers(p *pair) {
	style := []string{"main>section{will-change:transform;transform:rotate(.02deg)}", "main>section{filter:brightness(1.001)}",
		"main{transform:perspective(900px) translateZ(.02px)}", "main>section{transform:skewX(.02deg)}"}[p.variant]
	p.after.styles = append(p.after.styles, style)
}

func belowPixel(p *pair) {
	p.after.styles = append(p.after.styles, []string{"body{padding-top:.4px}", "main{margin-left:.4px}", ".part{margin-top:.2px}",
		"main{padding-left:.25px}"}[p.variant])
}

func embeddedWidget(p *pair) {
	p.both(func(d *document, after bool) {
		d.widget("embed", fmt.Sprintf(`<iframe title="Widget" width="280" height="200" style="border:0" src="/frame/%d?partner=weather">`+
			`</iframe>`, d.seed+uint64(350+index(after))))
	})
}

func renamedClasses(p *pair) {
	p.after.n = namer((p.variant + 1) % Variants)
	p.after.sections[0].html = strings.ReplaceAll(p.after.sections[0].html, `class="`, `class="v2-`)
	p.after.sections[0].html = strings.ReplaceAll(p.after.sections[0].html, `class="v2-grid"`, `class="grid"`)
}
