package people_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"testing"

	"github.com/fxamacker/cbor/v2"
)

// authenticator holds one passkey, and answers as WebAuthn level 2 says (sections 6.1, 6.5.1 and 8.7).
type authenticator struct {
	t      *testing.T
	origin string
	key    *ecdsa.PrivateKey
	id     []byte
	handle string
	count  uint32
}

func newAuthenticator(t *testing.T, origin string) *authenticator {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &authenticator{t: t, origin: origin, key: key, id: []byte(rand.Text())}
}

func encoded(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func (a *authenticator) client(kind, challenge string) []byte {
	text, err := json.Marshal(map[string]any{"type": kind, "challenge": challenge, "origin": a.origin, "crossOrigin": false})
	if err != nil {
		a.t.Fatal(err)
	}
	return text
}

// data is the authenticator data: the site, the flags "present" and "verified", and a counter.
func (a *authenticator) data(flags byte, more []byte) []byte {
	site := sha256.Sum256([]byte("localhost"))
	a.count++
	data := append(site[:], 0x05|flags)
	return append(binary.BigEndian.AppendUint32(data, a.count), more...)
}

// create answers a registration.
func (a *authenticator) create(challenge string) map[string]any {
	a.t.Helper()
	public, err := a.key.PublicKey.Bytes()
	if err != nil {
		a.t.Fatal(err)
	}
	cose, err := cbor.Marshal(map[int]any{1: 2, 3: -7, -1: 1, -2: public[1:33], -3: public[33:]})
	if err != nil {
		a.t.Fatal(err)
	}
	more := append(make([]byte, 16), binary.BigEndian.AppendUint16(nil, uint16(len(a.id)))...)
	more = append(append(more, a.id...), cose...)
	object, err := cbor.Marshal(map[string]any{"fmt": "none", "attStmt": map[string]any{}, "authData": a.data(0x40, more)})
	if err != nil {
		a.t.Fatal(err)
	}
	return a.credential(map[string]any{
		"clientDataJSON": encoded(a.client("webauthn.create", challenge)), "attestationObject": encoded(object),
	})
}

// get answers a sign-in.
func (a *authenticator) get(challenge string) map[string]any {
	a.t.Helper()
	data, client := a.data(0, nil), a.client("webauthn.get", challenge)
	told := sha256.Sum256(client)
	sum := sha256.Sum256(append(append([]byte{}, data...), told[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, a.key, sum[:])
	if err != nil {
		a.t.Fatal(err)
	}
	return a.credential(map[string]any{
		"clientDataJSON": encoded(client), "authenticatorData": encoded(data), "signature": encoded(signature), "userHandle": a.handle,
	})
}

func (a *authenticator) credential(response map[string]any) map[string]any {
	return map[string]any{"id": encoded(a.id), "rawId": encoded(a.id), "type": "public-key", "response": response}
}
