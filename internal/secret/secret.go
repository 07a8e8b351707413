// Package secret encrypts ("seals") small secrets that are needed again in plain text, such as passwords, before they are
// stored.
//
// A sealed secret is one version byte, a random 12-byte nonce and the AES-256-GCM ciphertext (NIST SP 800-38D). Its
// purpose is authenticated as associated data: a secret sealed for one purpose cannot be opened for another.
package secret

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// KeySize is the length of a key in bytes.
const KeySize = 32

const sealedVersion = 1

// ErrOpen is the error for a sealed secret that is corrupt, or was sealed for another purpose or with another key.
var ErrOpen = errors.New("the secret cannot be decrypted: it is corrupt, or was encrypted with another key")

// Box seals with one key, and opens what was sealed with that or with other keys. It is safe for concurrent use.
type Box struct {
	aeads []cipher.AEAD // of the key that seals, and of the others
}

// NewBox returns a box that seals with a key of KeySize bytes, and opens with the others too.
func NewBox(key []byte, others ...[]byte) (*Box, error) {
	b := &Box{}
	for _, key := range append([][]byte{key}, others...) {
		if len(key) != KeySize {
			return nil, fmt.Errorf("the secret key has %d bytes instead of %d", len(key), KeySize)
		}
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, err
		}
		aead, err := cipher.NewGCM(block)
		if err != nil {
			return nil, err
		}
		b.aeads = append(b.aeads, aead)
	}
	return b, nil
}

// Seal encrypts plain for a purpose.
func (b *Box) Seal(purpose, plain string) ([]byte, error) {
	aead := b.aeads[0]
	sealed := make([]byte, 1+aead.NonceSize(), 1+aead.NonceSize()+len(plain)+aead.Overhead())
	sealed[0] = sealedVersion
	nonce := sealed[1:]
	if _, err := rand.Read(nonce); err != nil {
		return nil, err
	}
	return aead.Seal(sealed, nonce, []byte(plain), []byte(purpose)), nil
}

// Open decrypts the output of Seal for the same purpose; any other input is ErrOpen.
func (b *Box) Open(purpose string, sealed []byte) (string, error) {
	plain, _, err := b.open(purpose, sealed)
	return plain, err
}

// Reseal returns the secret sealed with the key that seals; nil when it is already.
func (b *Box) Reseal(purpose string, sealed []byte) ([]byte, error) {
	plain, key, err := b.open(purpose, sealed)
	if err != nil || key == 0 {
		return nil, err
	}
	return b.Seal(purpose, plain)
}

// open also returns the number of the key that opened it.
func (b *Box) open(purpose string, sealed []byte) (plain string, key int, err error) {
	for key, aead := range b.aeads {
		nonceEnd := 1 + aead.NonceSize()
		if len(sealed) < nonceEnd || sealed[0] != sealedVersion {
			break
		}
		if plain, err := aead.Open(nil, sealed[1:nonceEnd], sealed[nonceEnd:], []byte(purpose)); err == nil {
			return string(plain), key, nil
		}
	}
	return "", 0, ErrOpen
}

// maxKeys is how many keys a configuration may hold.
const maxKeys = 8

// ParseKeys parses the keys of a configuration, separated by white space: the first seals, all of them open.
func ParseKeys(text string) ([][]byte, error) {
	words := strings.Fields(text)
	if len(words) == 0 || len(words) > maxKeys {
		return nil, fmt.Errorf("there are %d secret keys: give 1 to %d, the one that encrypts first", len(words), maxKeys)
	}
	keys := make([][]byte, len(words))
	for i, word := range words {
		var err error
		if keys[i], err = ParseKey(word); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// ParseKey parses a base64 key.
func ParseKey(text string) ([]byte, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil || len(key) != KeySize {
		return nil, fmt.Errorf("the secret key must be %d bytes in base64; create one with: openssl rand -base64 %d", KeySize, KeySize)
	}
	return key, nil
}

// ReadKeys reads the keys from their file, see ParseKeys; the error is fs.ErrNotExist if there is none.
func ReadKeys(path string) ([][]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the secret key: %w", err)
	}
	keys, err := ParseKeys(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return keys, nil
}

// MakeKey creates a key and its file. If the file exists, its keys are returned, so that processes that start at the
// same time end up with the same key.
func MakeKey(path string) ([][]byte, error) {
	if err := createKeyFile(path); err != nil {
		return nil, err
	}
	return ReadKeys(path)
}

// createKeyFile writes the whole key beside its place and links it in: a reader never sees half a key, and of two
// writers the second loses.
func createKeyFile(path string) error {
	key := make([]byte, KeySize)
	if _, err := rand.Read(key); err != nil {
		return err
	}
	draft, err := os.CreateTemp(filepath.Dir(path), ".key-*") // mode 0600
	if err != nil {
		return fmt.Errorf("create the secret key: %w", err)
	}
	defer func() { _ = os.Remove(draft.Name()) }()
	_, err = draft.WriteString(base64.StdEncoding.EncodeToString(key) + "\n")
	if err := errors.Join(err, draft.Sync(), draft.Close()); err != nil {
		return fmt.Errorf("write the secret key: %w", err)
	}
	if err := os.Link(draft.Name(), path); err != nil && !errors.Is(err, os.ErrExist) {
		return fmt.Errorf("create the secret key: %w", err)
	}
	return nil
}
