package view

import "afterimage/vcd"

// Mail shows a mail.
type Mail struct {
	*vcd.Mail
}

// NewMail shows m.
func NewMail(m *vcd.Mail) *Mail { return &Mail{m} }

// Subject is the subject; nil before the first attempt, like Text and HTML.
func (m *Mail) Subject() *string { return nonEmpty(m.Mail.Subject) }

// Text is the letter as plain text.
func (m *Mail) Text() *string { return nonEmpty(m.Mail.Text) }

// HTML is the letter as HTML.
func (m *Mail) HTML() *string { return nonEmpty(m.Mail.HTML) }

// Problem is what was wrong with the last attempt; nil when nothing was.
func (m *Mail) Problem() *string { return nonEmpty(m.Mail.Problem) }

// AttemptCount is how often it was tried.
func (m *Mail) AttemptCount() int { return m.Attempts }
