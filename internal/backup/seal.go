package backup

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"afterimage/internal/secret"
)

// maxPart bounds what a part of a table unpacks to, in bytes.
const maxPart = 256 << 20

// sealer encrypts and decrypts the objects of a place. It is safe for concurrent use.
type sealer struct {
	box     *secret.Box
	nameKey []byte
	keyID   string // tells keys apart and reveals nothing of them
	packer  *zstd.Encoder
}

// newSealer derives the keys of a place from the secret key of an installation, by HKDF (RFC 5869).
func newSealer(secretKey []byte) (*sealer, error) {
	derive := func(purpose string) ([]byte, error) {
		return hkdf.Key(sha256.New, secretKey, nil, "afterimage backup: "+purpose, secret.KeySize)
	}
	content, err1 := derive("content")
	names, err2 := derive("names")
	id, err3 := derive("id")
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	box, err := secret.NewBox(content)
	if err != nil {
		return nil, err
	}
	packer, err := zstd.NewWriter(nil)
	if err != nil {
		return nil, err
	}
	return &sealer{box: box, nameKey: names, keyID: hex.EncodeToString(id[:8]), packer: packer}, nil
}

// seal encrypts an object for its name.
func (s *sealer) seal(name string, content []byte) ([]byte, error) {
	return s.box.Seal(name, string(content))
}

// open decrypts an object of a name; the error says that it is damaged.
func (s *sealer) open(name string, sealed []byte) ([]byte, error) {
	plain, err := s.box.Open(name, sealed)
	if err != nil {
		return nil, fmt.Errorf("%s is damaged, or was replaced", name)
	}
	return []byte(plain), nil
}

// pack compresses and encrypts.
func (s *sealer) pack(name string, content []byte) ([]byte, error) {
	return s.seal(name, s.packer.EncodeAll(content, nil))
}

// unpack decrypts and decompresses.
func (s *sealer) unpack(name string, sealed []byte) ([]byte, error) {
	packed, err := s.open(name, sealed)
	if err != nil {
		return nil, err
	}
	unpacker, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxPart), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer unpacker.Close()
	content, err := unpacker.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be decompressed: %w", name, err)
	}
	return content, nil
}

// fileName is the name of the object with a file. It tells those who can read the place nothing of the file, not even whether it
// is one that they know.
func (s *sealer) fileName(hash string) string {
	mac := hmac.New(sha256.New, s.nameKey)
	_, _ = io.WriteString(mac, hash)
	name := hex.EncodeToString(mac.Sum(nil))
	return filesPrefix + name[:2] + "/" + name
}
