import { readFileSync } from 'node:fs';

import type { Plugin } from 'vite';

// The generator puts the documents of all screens into one file and a map by
// their text. Whoever opens one screen need not load all of them: a built page
// takes each document as a module of its own, which goes where it is used.

const prefix = 'virtual:document/';
const call = /\bgraphql\(`\s*(query|mutation|subscription|fragment)\s+(\w+)[^`]*`\)/g;

/** What the generator calls a document. */
const exported = (kind: string, name: string) => `${name}${kind === 'fragment' ? 'FragmentDoc' : 'Document'}`;

/** Replaces calls of graphql by imports of single documents. `generated` is the generator's file of them. */
export function documentModules(generated: URL): Plugin {
  let documents: Map<string, string>;
  return {
    name: 'document-modules',
    apply: 'build',
    enforce: 'pre',
    buildStart() {
      const source = readFileSync(generated, 'utf8');
      documents = new Map(
        Array.from(source.matchAll(/^export const (\w+) = (\{.*\}) as unknown as DocumentNode</gm), ([, name = '', json = '']) => [
          name,
          json,
        ]),
      );
    },
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) {
        return undefined;
      }
      const name = id.slice(prefix.length + 1);
      const json = documents.get(name);
      return json === undefined ? this.error(`${generated.pathname} has no ${name}: run npm run generate.`) : `export default ${json};`;
    },
    transform(code, id) {
      if (!/\.tsx?$/.test(id) || id.includes('/generated/') || !code.includes('graphql(`')) {
        return undefined;
      }
      const imports: string[] = [];
      const replaced = code.replace(call, (_, kind: string, name: string) => {
        const local = exported(kind, name);
        imports.push(`import $${local} from '${prefix}${local}';`);
        return `$${local}`;
      });
      return { code: `${imports.join(' ')}${replaced}`, map: null };
    },
  };
}
