package view

import (
	"time"

	"afterimage/graph/scalar"
	"afterimage/vcd"
)

// Invitation shows an invitation at a time.
type Invitation struct {
	*vcd.Invitation
	at time.Time
}

// NewInvitation shows i as it is at a time.
func NewInvitation(i *vcd.Invitation, at time.Time) *Invitation { return &Invitation{i, at} }

// State is the state of the invitation.
func (i *Invitation) State() scalar.Word { return scalar.Word(i.Invitation.State(i.at)) }

// InvitedBy is who invited.
func (i *Invitation) InvitedBy() *Person { return &Person{i.Inviter} }

// Session shows a session to its user.
type Session struct {
	*vcd.Session
	Current bool
}

// Sessions shows sessions, of which one may be in use.
func Sessions(list []*vcd.Session, current vcd.ID) []*Session {
	shown := make([]*Session, len(list))
	for i, s := range list {
		shown[i] = &Session{s, s.ID == current}
	}
	return shown
}

// Method is how the session began.
func (s *Session) Method() scalar.Word { return scalar.Word(s.Session.Method) }

// InvitationPayload is a changed invitation.
type InvitationPayload struct{ Invitation *Invitation }

// UserPayload is a changed user.
type UserPayload struct{ User *vcd.User }

// RemovedUserID is the id of a user just removed.
func (p *UserPayload) RemovedUserID() vcd.ID { return p.User.ID }
