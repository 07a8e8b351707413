/**
 * The first tab of somebody who has no saved tabs: a few words and a query that runs on any account.
 * Lines stay below 50 columns, the width of the editor on a small laptop.
 */
export const welcome = `# Afterimage API
#
# You are signed in: the session cookie is sent
# with each request, no token is needed.
#
#   Run            Ctrl-Enter
#   Complete       Ctrl-Space
#   Tidy           Shift-Ctrl-P
#   Read the docs  the book, top left
#
# Subscriptions work here too. Events are
# numbered: pass the last number you saw as
# "after" to resume without gaps.
#
# Tabs and history stay in this browser.

query LatestBatches {
  viewer {
    account { email checksLeft }
    lastEvent
  }
  batches(first: 10) {
    nodes {
      id
      name
      finishedAt
      queuesCount { open processing done failed }
      comparisonsCount { ok new }
    }
  }
}
`;
