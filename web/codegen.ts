import { createHash } from 'node:crypto';

import { addTypenameSelectionDocumentTransform } from '@graphql-codegen/client-preset';
import type { CodegenConfig } from '@graphql-codegen/cli';

// Types of every operation in app/, and the operations themselves under the
// SHA-256 of their text: the browser sends the hash, the binary knows the text.
const config: CodegenConfig = {
  schema: '../graph/schema/*.graphqls',
  documents: ['app/**/*.{ts,tsx}', '!app/api/generated/**'],
  generates: {
    'app/api/generated/': {
      preset: 'client',
      presetConfig: {
        fragmentMasking: false,
        persistedDocuments: { hashAlgorithm: (text: string) => createHash('sha256').update(text).digest('hex') },
      },
      config: {
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
      },
      // The cache needs the type names; they are part of the hashed text.
      documentTransforms: [addTypenameSelectionDocumentTransform],
    },
  },
};

export default config;
