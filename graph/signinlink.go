package graph

import (
	"crypto/rand"
	"crypto/sha256"
	"net/url"
	"sync"
	"time"
)

// signInLinkLife is how long a link signs in, and mostSignInLinks how many there are at once.
const (
	signInLinkLife  = 10 * time.Minute
	mostSignInLinks = 100
)

// signInLinks are the codes of links that sign a browser in, each once. They exist in this process only, which offers them to whoever
// started it. The zero value has none.
type signInLinks struct {
	mu     sync.Mutex
	offers map[[sha256.Size]byte]signInOffer // by the hash of the code
}

type signInOffer struct {
	token string
	ends  time.Time
}

// SignInLink returns a URL below base that signs one browser in with a token and leads to a path of this server. The code is in the
// fragment, which browsers send to nobody.
func (s *Server) SignInLink(base, token, path string) string {
	code := rand.Text()
	s.links.offer(code, signInOffer{token: token, ends: s.service.Config().Clock.Now().Add(signInLinkLife)})
	return base + "/signin/?next=" + url.QueryEscape(localPath(path)) + "#code=" + code
}

func (l *signInLinks) offer(code string, offer signInOffer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.offers == nil || len(l.offers) >= mostSignInLinks {
		l.offers = make(map[[sha256.Size]byte]signInOffer)
	}
	l.offers[sha256.Sum256([]byte(code))] = offer
}

// take returns the token of a code, the first time that it is asked for; empty for one that is unknown, was used or is too old.
func (l *signInLinks) take(code string, now time.Time) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := sha256.Sum256([]byte(code))
	offer, known := l.offers[key]
	delete(l.offers, key)
	if !known || !now.Before(offer.ends) {
		return ""
	}
	return offer.token
}
