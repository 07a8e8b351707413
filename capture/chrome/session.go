package chrome

import (
	"context"

	"github.com/go-rod/rod/lib/proto"
)

// session adapts a pipe to rod's requests: with the id of the addressed target and the context that ends the wait.
type session struct {
	*pipe
	id  proto.TargetSessionID
	ctx context.Context
}

// GetSessionID implements proto.Sessionable.
func (s session) GetSessionID() proto.TargetSessionID { return s.id }

// GetContext implements proto.Contextable.
func (s session) GetContext() context.Context { return s.ctx }
