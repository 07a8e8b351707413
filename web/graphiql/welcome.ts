/** The first tab of somebody who has no saved tabs: words only, asks nothing. */
export const welcome = `# Afterimage API
#
# You are signed in: requests carry your session, no token is needed here.
#
#   Run              Ctrl-Enter, or the button on the right
#   Complete         Ctrl-Space inside a selection
#   Tidy             Shift-Ctrl-P
#   Documentation    the book icon on the left
#
# A query looks like this. Remove the leading "# " and run it:
#
# query FirstGroups {
#   groups(first: 10) {
#     totalCount
#     nodes {
#       id
#       name
#     }
#     pageInfo {
#       hasNextPage
#       endCursor
#     }
#   }
# }
#
# Subscriptions run from here as well. They use a WebSocket, and every event
# has a number: give the last one you saw as "after" and nothing is missed.
#
# The answers have the data under "data" and problems under "errors"; each
# error says in "extensions" which code it has and which fields it concerns.
#
# Tabs and history stay in this browser.

`;
