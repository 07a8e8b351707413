package labelled

import "fmt"

// What comes and goes over a page.

func consentBanner(p *pair) {
	class := "cookie-notice"
	if p.variant > 1 {
		class = "consent-banner"
	}
	p.after.overlays = append(p.after.overlays,
		fmt.Sprintf(`<div class=%q role="dialog" style="position:fixed;bottom:0;left:0;right:0;padding:24px;background:#222;color:#fff">`+
			`<p>We use cookies to improve your experience. Read our privacy policy.</p><button>Decline</button> <button>Fine by `+
			`me</button></div>`, class))
}

func chatBubble(p *pair) {
	p.after.overlays = append(p.after.overlays,
		`<div class="chat-widget" id="chat-launcher" `+
			`style="position:fixed;right:24px;bottom:24px;width:64px;height:64px;border-radius:50%;background:#2a6fdb;color:#fff;`+
			`font-size:28px;text-align:center;line-height:64px">💬</div>`)
}

func newsletterBar(p *pair) {
	p.after.overlays = append(p.after.overlays,
		`<div class="popup" role="dialog" `+
			`style="position:fixed;right:0;bottom:80px;width:340px;padding:24px;background:#fff;color:#222;border:1px solid #888">`+
			`<h3>Don't miss our news</h3><p>Subscribe to our newsletter and save 10 %.</p><input type="email" placeholder="E-mail">`+
			`<button>Subscribe</button></div>`)
}

func backToTop(p *pair) {
	class := []string{"back-to-top", "scroll-top"}[p.variant%2]
	p.after.overlays = append(p.after.overlays,
		fmt.Sprintf(`<a href="#" class=%q `+
			`style="position:fixed;right:20px;bottom:20px;width:44px;height:44px;background:#555;color:#fff;text-align:center;`+
			`line-height:44px">↑</a>`, class))
}

func consentElsewhere(p *pair) {
	p.both(func(d *document, after bool) {
		place := [2]string{"bottom:0;left:0;right:0", "bottom:30px;left:30px;width:340px"}[index(after)]
		d.overlays = append(d.overlays,
			fmt.Sprintf(`<div class="cookie-consent" style="position:fixed;%s;padding:20px;background:#223;color:#fff">`+
				`<p>We use cookies. Read our cookie policy.</p><button>Fine</button></div>`, place))
	})
}

func consentGone(p *pair) {
	consentBanner(p)
	p.before.overlays, p.after.overlays = p.after.overlays, nil
}

func survey(p *pair) {
	p.after.overlays = append(p.after.overlays,
		fmt.Sprintf(`<div class=%q role="dialog" `+
			`style="position:fixed;right:20px;bottom:20px;width:300px;padding:20px;background:#fff;border:1px solid #888">`+
			`<p>How do you like our site?</p><button>Good</button> <button>Bad</button></div>`,
			[]string{"survey-popup", "hotjar-survey", "modal survey", "feedback-toast"}[p.variant]))
}

func applicationBanner(p *pair) {
	p.after.overlays = append(p.after.overlays,
		fmt.Sprintf(`<div class=%q style="position:fixed;left:0;right:0;bottom:0;padding:14px;background:#123;color:#fff">Get our app `+
			`<button>Install</button></div>`, []string{"smart-app-banner", "app-popup", "install-snackbar", "app-banner"}[p.variant]))
}
