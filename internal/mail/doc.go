// Package mail composes what Afterimage has to say by mail, and sends it.
//
//   - [Digest], [UpdateReport], [WebhookDisabled] and [Notice] are the kinds of mails; each makes a [Letter]: subject, HTML, plain
//     text and the pictures shown within it.
//   - A [Transport] sends a letter to one recipient: [SMTP] to a mail server, [Folder] into files, for those who have none.
//
// Everything in a mail that comes from a page or a client, such as titles and addresses, is hostile: the templates escape
// it, and nothing of it reaches a header unencoded. No picture or style is loaded from elsewhere, so that opening a mail
// tells nobody about it.
package mail
