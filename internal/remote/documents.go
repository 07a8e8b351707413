package remote

import (
	"crypto/sha256"
	_ "embed" // for the documents below
	"encoding/hex"
)

//go:embed documents/groups.graphql
var groupsDocument string

//go:embed documents/latest.graphql
var latestDocument string

//go:embed documents/take.graphql
var takeDocument string

//go:embed documents/trigger.graphql
var triggerDocument string

//go:embed documents/batch.graphql
var batchDocument string

//go:embed documents/progress.graphql
var progressDocument string

//go:embed documents/comparisons.graphql
var comparisonsDocument string

//go:embed documents/entries.graphql
var entriesDocument string

//go:embed documents/approve.graphql
var approveDocument string

//go:embed documents/approvechange.graphql
var approveChangeDocument string

//go:embed documents/add.graphql
var addDocument string

//go:embed documents/beginupload.graphql
var beginUploadDocument string

//go:embed documents/finishupload.graphql
var finishUploadDocument string

// Documents are all that is sent, by the SHA-256 of each: a server that runs known documents only has to know them.
func Documents() map[string]string {
	all := make(map[string]string)
	for _, text := range []string{
		groupsDocument, latestDocument, takeDocument, triggerDocument, batchDocument, progressDocument, comparisonsDocument,
		entriesDocument, approveDocument, approveChangeDocument, addDocument, beginUploadDocument, finishUploadDocument,
	} {
		sum := sha256.Sum256([]byte(text))
		all[hex.EncodeToString(sum[:])] = text
	}
	return all
}
