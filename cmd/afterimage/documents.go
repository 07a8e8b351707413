package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"

	"afterimage/internal/remote"
	"afterimage/web"
)

// maxDocuments limits the file of --documents, in bytes.
const maxDocuments = 16 << 20

// readDocuments reads the file of --documents; none without a path.
func readDocuments(path string) (map[string]string, error) {
	if path == "" {
		return nil, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read --documents: %w", err)
	}
	if info.Size() > maxDocuments {
		return nil, fmt.Errorf("the file of --documents must not be longer than %d MiB", maxDocuments>>20)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read --documents: %w", err)
	}
	var documents map[string]string
	if err := json.Unmarshal(text, &documents); err != nil {
		return nil, fmt.Errorf("the file of --documents must be a JSON object that maps the SHA-256 of each document to its text: %w", err)
	}
	return documents, nil
}

// documents are those of the dashboard, of the commands that speak to a server, and the operator's.
func (c *serveCmd) documents() (map[string]string, error) {
	documents, err := readDocuments(c.Documents)
	if err != nil {
		return nil, err
	}
	ours, err := web.AppDocuments()
	if err != nil {
		return nil, err
	}
	all := make(map[string]string, len(ours)+len(documents))
	maps.Copy(all, ours)
	maps.Copy(all, remote.Documents())
	maps.Copy(all, documents)
	return all, nil
}
