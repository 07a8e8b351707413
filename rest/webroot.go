package rest

import (
	"net/http"
	"net/url"
)

// Addresses beside the API, in the root of the web server, that its clients lead to.
const (
	// PublicPagePath, also with a slash behind it, leads to the public page of a comparison: ?token=<token>.
	PublicPagePath = "/show-change-detection"
	// TrialPath would open a trial account.
	TrialPath = "/add-trial-account"
)

// PublicPages leads to the public page of the comparison with the token of a request; prefix is what stands before tokens in the
// addresses of public pages.
func PublicPages(prefix string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token := r.URL.Query().Get("token")
		if token == "" {
			http.NotFound(w, r)
			return
		}
		http.Redirect(w, r, prefix+url.PathEscape(token), http.StatusFound)
	})
}

// NoTrials refuses trial accounts: the operator of an installation opens its accounts.
func NoTrials() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			write(w, plainMessage(http.StatusMethodNotAllowed, "Use POST."))
			return
		}
		write(w, plainMessage(http.StatusForbidden, "There are no trial accounts: ask the operator of this installation for an account."))
	})
}

func plainMessage(status int, text string) reply {
	return reply{status, append(append([]byte(`{"message":`), quoted(text)...), '}')}
}
