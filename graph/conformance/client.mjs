// Uses the subscriptions of a server as a dashboard does, with the client of graphql-ws: subscribe, complete, error, ping,
// reconnect, and a token that is none. Ends with an exit code and a reason when something is not as it must be.
// AFTERIMAGE_URL is the address of /graphql, AFTERIMAGE_TOKEN a token for it.
import assert from 'node:assert/strict'
import { createClient } from 'graphql-ws'
import WebSocket from 'ws'

const { AFTERIMAGE_URL: url, AFTERIMAGE_TOKEN: token } = process.env
const within = 20_000

function connect(options = {}) {
  return createClient({
    url: url.replace(/^http/, 'ws'),
    webSocketImpl: WebSocket,
    connectionParams: { Authorization: `Bearer ${token}` },
    ...options,
  })
}

// inTime fails when something does not happen.
function inTime(what, promise) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited in vain for ${what}`)), within)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

async function change(name) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: 'mutation ($name: String!) { createGroup(input: { name: $name }) { group { id } } }', variables: { name } }),
  })
  const { data, errors } = await response.json()
  assert.equal(errors, undefined)
  return data.createGroup.group.id
}

async function lastNumber() {
  const client = connect()
  const answer = await inTime('an answer', once(client, '{ viewer { lastEvent } }'))
  await client.dispose()
  return answer.data.viewer.lastEvent
}

// once runs an operation with one result; the server has to complete it.
function once(client, query) {
  return new Promise((resolve, reject) => {
    let result
    client.subscribe({ query }, { next: (value) => (result = value), error: reject, complete: () => resolve(result) })
  })
}

const events = 'subscription ($after: EventNumber) { events(after: $after) { number kind subjectId } }'

async function subscribeAndComplete() {
  const client = connect()
  const after = await lastNumber()
  const stream = client.iterate({ query: events, variables: { after } })
  const id = await change('subscribed')
  const { value } = await inTime('an event', stream.next())
  assert.equal(value.data.events.subjectId, id)
  assert.equal(value.data.events.kind, 'GROUP_CREATED')
  await inTime('the end of the stream', stream.return())
  const again = await inTime('a result on the same socket', once(client, '{ __typename }'))
  assert.equal(again.data.__typename, 'Query')
  await client.dispose()
}

async function errors() {
  const client = connect()
  const refused = await inTime('an error', once(client, 'subscription { nothing }').catch((reason) => reason))
  assert.ok(Array.isArray(refused), `an invalid operation: ${refused}`)
  assert.equal(refused[0].extensions.code, 'GRAPHQL_VALIDATION_FAILED')
  const missing = await inTime('a result', once(client, '{ group(id: "0190a1b2-0000-7000-8000-000000000001") { id } }'))
  assert.equal(missing.errors[0].extensions.code, 'NOT_FOUND')
  await client.dispose()
}

async function ping() {
  let pong
  const answered = new Promise((resolve) => (pong = resolve))
  const client = connect({ keepAlive: 50, lazy: false, on: { pong: (received) => received && pong() } })
  await inTime('a pong', answered)
  await client.dispose()
}

// reconnect loses the connection in the middle. The client comes back by itself and asks for what came after the last
// number that it has seen: nothing is missed, nothing comes twice. What happens next happens only after each step: events
// that are there before the connection is lost may all arrive over the first one.
async function reconnect() {
  let socket
  let opened = 0
  let closed
  const lost = new Promise((resolve) => (closed = resolve))
  const client = connect({
    retryAttempts: 5,
    retryWait: () => Promise.resolve(),
    shouldRetry: () => true,
    on: { connected: (s) => { socket = s; opened++ }, closed: () => closed() },
  })
  let after = await lastNumber()
  const seen = []
  let first
  const begun = new Promise((resolve) => (first = resolve))
  let enough
  const all = new Promise((resolve) => (enough = resolve))
  const variables = { get after() { return after } } // read again for every attempt
  client.subscribe({ query: events, variables }, {
    next: ({ data }) => {
      after = data.events.number
      seen.push(data.events.subjectId)
      if (seen.length === 1) first()
      if (seen.length === 3) enough()
    },
    error: (reason) => { throw reason },
    complete: () => {},
  })
  const want = [await change('one')]
  await inTime('the first event', begun)
  socket.terminate()
  await inTime('the end of the connection', lost)
  for (const name of ['two', 'three']) want.push(await change(name))
  await inTime('two more events over a second connection', all)
  assert.deepEqual(seen, want)
  assert.equal(opened, 2)
  await client.dispose()
}

async function badToken() {
  const client = connect({ connectionParams: { Authorization: 'Bearer no-such-token' }, retryAttempts: 0 })
  const closed = await inTime('the closing of the socket', once(client, '{ __typename }').catch((reason) => reason))
  assert.equal(closed.code, 4403)
}

for (const test of [subscribeAndComplete, errors, ping, reconnect, badToken]) {
  await test()
  console.log(`ok ${test.name}`)
}
process.exit(0)
