// Package mail composes and sends emails.
//
//   - [Digest], [UpdateReport], [WebhookDisabled] and [Notice] are the kinds of mail. Each makes a [Letter]: subject, HTML,
//     plain text and inline images.
//   - A [Transport] sends a letter to one recipient: [SMTP] to a mail server, [Folder] to files if there is none.
//
// Titles, URLs and other text from pages and clients are untrusted: the templates escape them, and none reaches a header
// unencoded. Mails load no remote images or styles, so opening one reveals nothing.
package mail
