package input

import (
	"github.com/99designs/gqlgen/graphql"

	"afterimage/vcd"
	"afterimage/vcd/run"
)

// Upload is what a client sends to begin an upload.
type Upload struct {
	GroupID string
	ScType  vcd.QueueType
	Build   graphql.Omittable[*string]
	Shards  graphql.Omittable[*int]
	Name    graphql.Omittable[*string]
}

// Upload is the same in the domain's words.
func (in *Upload) Upload() run.UploadInput {
	return run.UploadInput{
		GroupID: in.GroupID, Type: in.ScType, Build: in.Build.Value(), Shards: in.Shards.Value(), Name: in.Name.Value(),
	}
}
