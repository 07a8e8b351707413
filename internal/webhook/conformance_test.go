package webhook_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"afterimage/internal/webhook"
)

// signed is a request as it arrived, for conformance/verify.mjs.
type signed struct {
	Secret   string            `json:"secret"`
	Older    string            `json:"older"` // while the secret is replaced
	Headers  map[string]string `json:"headers"`
	Body     []byte            `json:"body"`
	Thorough bool              `json:"thorough"` // every byte is to be tried
}

// TestReceiversVerifyByTheirLibraries sends 1,000 random payloads and has those that arrived verified by the npm packages
// standardwebhooks and svix and by a plain HMAC; with any byte flipped none may. Some more are sent while the secret is replaced.
func TestReceiversVerifyByTheirLibraries(t *testing.T) {
	const requests, replaced, thorough = 1000, 50, 20
	random := rand.New(rand.NewPCG(1, 2))
	arrived := make(chan signed, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		headers := make(map[string]string, len(r.Header))
		for name := range r.Header {
			headers[strings.ToLower(name)] = r.Header.Get(name)
		}
		arrived <- signed{Headers: headers, Body: body}
	}))
	defer server.Close()
	sender := newSenderAt(t, time.Now, server.Listener.Addr().String()) // receivers refuse what is older than minutes
	var lines bytes.Buffer
	for i := range requests + replaced {
		secrets := []string{randomText(random, 40)}
		if i >= requests {
			secrets = append(secrets, randomText(random, 40))
		}
		attempt, err := sender.Send(t.Context(), webhook.Request{URL: server.URL, ID: randomID(random), Body: randomPayload(t, random),
			Secrets: secrets})
		if err != nil || attempt.Outcome != webhook.Delivered {
			t.Fatalf("%+v, %v", attempt, err)
		}
		got := <-arrived
		got.Secret, got.Thorough = secrets[0], i < thorough
		if len(secrets) > 1 {
			got.Older = secrets[1]
		}
		must(t, json.NewEncoder(&lines).Encode(got))
	}
	for name, count := range verify(t, &lines) {
		t.Logf("%s: %d verified, %d flipped ones refused", name, count.Verified, count.Refused)
		if count.Verified != requests+replaced || count.Refused < 2*requests || len(count.Wrong) > 0 {
			t.Errorf("%s: %d verified, %d flipped ones refused, wrong: %.10q", name, count.Verified, count.Refused, count.Wrong)
		}
	}
}

// verified is what one way of verifying came to.
type verified struct {
	Verified, Refused int
	Wrong             []string
}

// verify runs conformance/verify.mjs, once for all requests.
func verify(t *testing.T, lines io.Reader) map[string]verified {
	t.Helper()
	if _, err := os.Stat("conformance/node_modules/svix"); err != nil {
		t.Fatalf("the packages of internal/webhook/conformance are not installed: make test does that: %v", err)
	}
	node := exec.CommandContext(t.Context(), "node", "verify.mjs")
	node.Dir = "conformance"
	var said bytes.Buffer
	node.Stdin, node.Stderr = lines, &said
	out, err := node.Output()
	if err != nil {
		t.Fatalf("verify.mjs: %v\n%.4000s", err, said.String())
	}
	var counts map[string]verified
	must(t, json.Unmarshal(out, &counts))
	if len(counts) != 3 {
		t.Fatalf("%d ways of verifying: %s", len(counts), out)
	}
	return counts
}

// randomPayload is JSON of the payload's shape with texts of all scripts in it.
func randomPayload(t *testing.T, random *rand.Rand) []byte {
	t.Helper()
	data := make(map[string]any)
	for range random.IntN(12) {
		letters := make([]rune, random.IntN(40))
		for i := range letters {
			letters[i] = rune(1 + random.IntN(0x1F600)) // surrogates become U+FFFD
		}
		data[randomText(random, 8)] = []any{string(letters), random.Float64(), random.IntN(2) == 0, nil}
	}
	body, err := json.Marshal(map[string]any{"id": randomID(random), "event": "batch_finished", "data": data})
	must(t, err)
	return body
}

func randomText(random *rand.Rand, length int) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	text := make([]byte, length)
	for i := range text {
		text[i] = alphabet[random.IntN(len(alphabet))]
	}
	return string(text)
}

func randomID(random *rand.Rand) string {
	return strings.ToLower(randomText(random, 8) + "-" + randomText(random, 12))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
