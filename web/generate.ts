// Writes app/api/generated: the types of every operation in app/, and the operations themselves under the SHA-256 of their text;
// the browser sends the hash, the program knows the text. The preset does the work. Its command line would find the files, and
// brings a third of all packages for it.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { addTypenameSelectionDocumentTransform, preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { buildASTSchema, parse, type DocumentNode } from 'graphql';

process.chdir(import.meta.dirname);

const output = 'app/api/generated/';

const config = {
  enumsAsTypes: true,
  useTypeImports: true,
  skipTypename: true,
  strictScalars: true,
  scalars: {
    DateTime: 'string',
    Date: 'string',
    EventNumber: 'number',
    ScheduleDay: '(number | string)',
    ScheduleTime: 'string',
    TriggerRecord: 'unknown',
    Map: 'unknown',
    ID: 'string',
  },
  importExtension: '' as const,
};

const filesIn = (folder: string, wanted: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => wanted.test(name))
    .map((name) => join(folder, name))
    .toSorted();

/** The operations and fragments of a file: the texts in its calls of graphql. */
function sourcesOf(location: string) {
  const texts = Array.from(readFileSync(location, 'utf8').matchAll(/\bgraphql\(`([^`]*)`\)/g), ([, text = '']) => text);
  return texts.map((rawSDL) => ({ location, rawSDL, document: parsed(location, rawSDL) }));
}

function parsed(location: string, text: string): DocumentNode {
  try {
    return parse(text);
  } catch (error) {
    throw new Error(`${location}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** Leaves a file untouched that has the content already, for those who watch it. */
function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  try {
    if (readFileSync(path, 'utf8') === content) {
      return;
    }
  } catch {
    // It is new.
  }
  writeFileSync(path, content);
}

const schemas = filesIn('../graph/schema', /\.graphqls$/).map((path) => readFileSync(path, 'utf8'));
const schema = parse(schemas.join('\n'));
const schemaAst = buildASTSchema(schema);
const documents = filesIn('app', /\.tsx?$/)
  .filter((path) => !path.startsWith(output))
  .flatMap(sourcesOf);

const files = await preset.buildGeneratesSection({
  baseOutputDir: output,
  presetConfig: {
    fragmentMasking: false,
    persistedDocuments: { hashAlgorithm: (text: string) => createHash('sha256').update(text).digest('hex') },
  },
  plugins: [],
  pluginMap: {},
  schema,
  schemaAst,
  documents,
  config,
  // The cache needs the type names; they are part of the hashed text.
  documentTransforms: [{ name: 'typename', transformObject: addTypenameSelectionDocumentTransform, config: {} }],
});
const contents = await Promise.all(files.map((file) => codegen({ ...file, schemaAst, importExtension: '' })));
files.forEach(({ filename }, index) => write(filename, contents[index] ?? ''));
