package rest

import (
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
)

// addPeople gives each account a user who is signed in, and an invitation.
func (c *cast) addPeople(accounts ...*caller) {
	c.t.Helper()
	for _, who := range accounts {
		session := vcdtest.Join(c.t, c.use, c.store, who.actor, who.name+"@users.example.com", vcd.RoleReviewer)
		actor := vcd.Actor{Account: who.account.ID, User: session.User}
		passkeys, err := c.use.Accounts.Passkeys(c.t.Context(), actor)
		c.check(err)
		i, err := c.use.Accounts.Invite(c.t.Context(), who.actor, who.name+"@invited.example.com", vcd.RoleViewer)
		c.check(err)
		who.things["user"], who.things["session"] = string(session.User), string(session.ID)
		who.things["passkey"], who.things["invitation"] = string(passkeys[0].ID), string(i.ID)
	}
}
