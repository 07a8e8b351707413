// Runs the audits of graphql-http against a server and prints what they found as JSON.
// AFTERIMAGE_URL is the address of /graphql, AFTERIMAGE_TOKEN a token for it.
import { auditServer } from 'graphql-http'

const { AFTERIMAGE_URL: url, AFTERIMAGE_TOKEN: token } = process.env

const results = await auditServer({
  url,
  fetchFn: (address, init) => {
    const headers = new Headers(init?.headers)
    headers.set('Authorization', `Bearer ${token}`)
    return fetch(address, { ...init, headers })
  },
})

const findings = []
for (const { id, name, status, reason } of results) findings.push({ id, name, status, reason })
console.log(JSON.stringify(findings))
