/**
 * The first tab of somebody who has no saved tabs: words only, asks nothing.
 * Lines stay below 50 columns, the width of the editor on a small laptop.
 */
export const welcome = `# Afterimage API
#
# You are signed in: your session goes with each
# request, no token is needed here.
#
#   Run            Ctrl-Enter
#   Complete       Ctrl-Space
#   Tidy           Shift-Ctrl-P
#   Read the docs  the book, top left
#
# A query looks like this. Take the leading "# "
# away (select the lines, Ctrl-/) and run it.
#
# query FirstGroups {
#   groups(first: 10) {
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
# Subscriptions run from here as well. Events are
# numbered: pass the last number you saw as
# "after", and you miss nothing.
#
# Tabs and history stay in this browser.

`;
