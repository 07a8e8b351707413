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

// Box seals and opens with one key. It is safe for concurrent use.
type Box struct {
	aead cipher.AEAD
}

// NewBox returns a box for a key of KeySize bytes.
func NewBox(key []byte) (*Box, error) {
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
	return &Box{aead: aead}, nil
}

// Seal encrypts plain for a purpose.
func (b *Box) Seal(purpose, plain string) ([]byte, error) {
	sealed := make([]byte, 1+b.aead.NonceSize(), 1+b.aead.NonceSize()+len(plain)+b.aead.Overhead())
	sealed[0] = sealedVersion
	nonce := sealed[1:]
	if _, err := rand.Read(nonce); err != nil {
		return nil, err
	}
	return b.aead.Seal(sealed, nonce, []byte(plain), []byte(purpose)), nil
}

// Open decrypts the output of Seal for the same purpose; any other input is ErrOpen.
func (b *Box) Open(purpose string, sealed []byte) (string, error) {
	nonceEnd := 1 + b.aead.NonceSize()
	if len(sealed) < nonceEnd || sealed[0] != sealedVersion {
		return "", ErrOpen
	}
	plain, err := b.aead.Open(nil, sealed[1:nonceEnd], sealed[nonceEnd:], []byte(purpose))
	if err != nil {
		return "", ErrOpen
	}
	return string(plain), nil
}

// ParseKey parses a base64 key from the configuration.
func ParseKey(text string) ([]byte, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil || len(key) != KeySize {
		return nil, fmt.Errorf("the secret key must be %d bytes in base64; create one with: openssl rand -base64 %d", KeySize, KeySize)
	}
	return key, nil
}

// ReadKey reads the key from its file; the error is fs.ErrNotExist if there is none.
func ReadKey(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the secret key: %w", err)
	}
	key, err := ParseKey(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return key, nil
}

// MakeKey creates a key and its file. If the file exists, its key is returned, so that processes that start at the
// same time end up with the same key.
func MakeKey(path string) ([]byte, error) {
	if err := createKeyFile(path); err != nil {
		return nil, err
	}
	return ReadKey(path)
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
