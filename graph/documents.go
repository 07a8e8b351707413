package graph

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// persistedKey is the extension by which clients name a document instead of sending it, as in Apollo's protocol for
// persisted queries: {"version": 1, "sha256Hash": "…"}.
const persistedKey = "persistedQuery"

// Codes of that protocol. Clients that try the hash first send the text next time, or no hash at all.
const (
	codeUnknownDocument   = "PERSISTED_QUERY_NOT_FOUND"
	codeNoDocuments       = "PERSISTED_QUERY_NOT_SUPPORTED"
	codeUntrustedDocument = "DOCUMENT_NOT_TRUSTED" // with Config.DocumentsOnly
)

// documentHash is a SHA-256 in lower-case hexadecimal.
var documentHash = regexp.MustCompile(`^[0-9a-f]{64}$`)

// hashOf is the name of a document: the SHA-256 of its text.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// trusted are the documents that clients may name by hash. Nothing that a client sends is added to them.
type trusted struct {
	byHash map[string]string
	only   bool // no other document is run
}

// validate refuses documents under a wrong hash, and those that could not run.
func (e *execution) validateTrusted(documents map[string]string) error {
	for hash, text := range documents {
		if !documentHash.MatchString(hash) || hashOf(text) != hash {
			return fmt.Errorf("the key %q of a document must be the SHA-256 of its text, %s", hash, hashOf(text))
		}
		if _, errs := e.parse(text); len(errs) > 0 {
			return fmt.Errorf("the document %s does not fit the schema: %s", hash, errs[0].Message)
		}
	}
	return nil
}

// text is the document of a request: the one that it names, or the one that it sends.
func (t trusted) text(params *graphql.RawParams) (string, *gqlerror.Error) {
	hash, named, err := persistedHash(params.Extensions)
	if err != nil {
		return "", err
	}
	if named && params.Query != "" && hashOf(params.Query) != hash {
		return "", coded(codeBadRequest, "extensions.persistedQuery.sha256Hash is not the SHA-256 of the query.")
	}
	if !named {
		hash = hashOf(params.Query)
	}
	known, isKnown := t.byHash[hash]
	switch {
	case isKnown:
		return known, nil
	case t.only && params.Query != "":
		return "", coded(codeUntrustedDocument, "This server only runs the operations of its document list.")
	case params.Query != "":
		return params.Query, nil
	case len(t.byHash) == 0:
		return "", coded(codeNoDocuments, "PersistedQueryNotSupported")
	}
	return "", coded(codeUnknownDocument, "PersistedQueryNotFound")
}

// persistedHash reads the hash by which a request names its document.
func persistedHash(extensions map[string]any) (hash string, named bool, err *gqlerror.Error) {
	raw, named := extensions[persistedKey]
	if !named {
		return "", false, nil
	}
	fields, _ := raw.(map[string]any)
	version := fmt.Sprint(fields["version"])
	hash, _ = fields["sha256Hash"].(string)
	if hash = strings.ToLower(hash); version != "1" || !documentHash.MatchString(hash) {
		return "", true, coded(codeBadRequest,
			"extensions.persistedQuery must have version 1 and sha256Hash, 64 hexadecimal digits.")
	}
	return hash, true, nil
}

// namesDocument reports whether a request names its document, so that it need not send it.
func namesDocument(extensions map[string]any) bool {
	_, named := extensions[persistedKey]
	return named
}
