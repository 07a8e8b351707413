package chrome

import (
	"context"

	"github.com/go-rod/rod/lib/proto"
)

// session is a pipe as rod's requests want it: with the id of whom they address and the context that ends their waiting.
type session struct {
	*pipe
	id  proto.TargetSessionID
	ctx context.Context
}

// GetSessionID implements proto.Sessionable.
func (s session) GetSessionID() proto.TargetSessionID { return s.id }

// GetContext implements proto.Contextable.
func (s session) GetContext() context.Context { return s.ctx }
