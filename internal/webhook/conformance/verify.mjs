// Verifies signed requests as their receivers do: by standardwebhooks, by svix, and by a plain HMAC. Each line of standard
// input is a request as JSON: {secret, older, headers, body in base64, thorough}. Every request must verify, by the libraries
// under the older secret too where there is one; and none with a bit of another byte: one byte of each part, or every byte of
// a request that is thorough. The counts are printed as JSON.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createInterface } from 'node:readline'
import * as standard from 'standardwebhooks'
import * as svix from 'svix'

const plain = (secret, body, headers) => {
  const want = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'))
  const got = Buffer.from(headers['signature'])
  return want.length === got.length && timingSafeEqual(want, got)
}

const library = ({ Webhook, WebhookVerificationError }) => (secret, body, headers) => {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false
    throw error // not that the signature is wrong, but that something else is
  }
}

const bound = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
const verifiers = [
  { name: 'standardwebhooks', verifies: library(standard), headers: bound },
  { name: 'svix', verifies: library(svix), headers: bound },
  { name: 'hmac', verifies: plain, headers: ['signature'] },
]

// flipped is a copy with another bit in the byte at a place. Of seven bits only: headers are ASCII.
const flipped = (bytes, place) => {
  const copy = Buffer.from(bytes)
  copy[place] ^= 1 << place % 7
  return copy
}

const places = (length, request) =>
  request.thorough ? Array.from({ length }, (_, place) => place) : [(request.number * 7919) % length]

const counts = Object.fromEntries(verifiers.map(({ name }) => [name, { verified: 0, refused: 0, wrong: [] }]))

const check = ({ name, verifies, headers }, request) => {
  const { secret, body } = request
  const count = counts[name]
  if (verifies(secret, body, request.headers)) count.verified++
  else count.wrong.push(`request ${request.number} does not verify`)
  if (request.older) { // another signature is left when a byte of one is flipped
    if (headers === bound && !verifies(request.older, body, request.headers)) count.wrong.push(`request ${request.number} does not verify by the older secret`)
    return
  }
  const refuse = (what, changedBody, changedHeaders) => {
    if (!verifies(secret, changedBody, changedHeaders)) count.refused++
    else count.wrong.push(`request ${request.number} verifies with another ${what}`)
  }
  for (const place of places(body.length, request)) refuse(`byte ${place} of the body`, flipped(body, place), request.headers)
  for (const header of headers) {
    const value = Buffer.from(request.headers[header])
    for (const place of places(value.length, request)) {
      const changed = { ...request.headers, [header]: flipped(value, place).toString() }
      refuse(`byte ${place} of ${header}`, body, changed)
    }
  }
}

let number = 0
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line)
  request.number = number++
  request.body = Buffer.from(request.body, 'base64')
  for (const verifier of verifiers) check(verifier, request)
}
console.log(JSON.stringify(counts))
