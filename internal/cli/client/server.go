package client

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"afterimage/internal/cli"
	"afterimage/internal/remote"
)

// serverFlags say which server a command speaks to, and as whom. The token is no flag: others can read command lines.
type serverFlags struct {
	Server    string `help:"Address of the server, for example https://afterimage.example.com." placeholder:"URL"`
	TokenFile string `help:"File with the API token; default: the token in the environment variable AFTERIMAGE_TOKEN." type:"path" placeholder:"FILE"`
}

// maxTokenFile is far longer than a token, in bytes.
const maxTokenFile = 4096

func (f *serverFlags) client() (*remote.Client, error) {
	if f.Server == "" {
		return nil, errors.New("--server is missing: give the address of the server, or set AFTERIMAGE_SERVER")
	}
	token, err := f.token()
	if err != nil {
		return nil, err
	}
	return remote.New(f.Server, token, "afterimage/"+cli.Version)
}

func (f *serverFlags) token() (string, error) {
	if f.TokenFile == "" {
		token := os.Getenv("AFTERIMAGE_TOKEN")
		if strings.TrimSpace(token) == "" {
			return "", errors.New("the API token is missing: set AFTERIMAGE_TOKEN, or name a file with --token-file")
		}
		return token, nil
	}
	file, err := os.Open(f.TokenFile)
	if err != nil {
		return "", fmt.Errorf("--token-file: %w", err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxTokenFile+1))
	if err != nil {
		return "", fmt.Errorf("--token-file: %w", err)
	}
	if len(text) > maxTokenFile {
		return "", fmt.Errorf("--token-file: %s is longer than %d bytes: it must contain only the token", f.TokenFile, maxTokenFile)
	}
	return string(text), nil
}
