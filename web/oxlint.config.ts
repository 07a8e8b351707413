import { defineConfig, type OxlintOverride } from 'oxlint';

// Which part may import which other parts, besides itself: only those above it, so that there are no circles of parts. Within a
// part, files do not import each other in circles either.
const base: Readonly<Record<string, readonly string[]>> = {
  ui: [],
  viewer: [],
  signin: [],
  graphiql: [],
  guest: ['ui', 'viewer'],
  report: ['ui', 'viewer', 'guest'],
  states: ['ui'],
  'app/api': [],
  'app/shell': ['app/api', 'app/i18n', 'ui', 'viewer'],
};

// Screens. All may import the shell, and what it imports.
const features: Readonly<Record<string, readonly string[]>> = {
  runs: [],
  rules: [],
  review: ['runs'],
  comparison: ['review', 'rules'],
  group: [],
  sites: [],
  flows: [],
  start: ['group', 'sites'],
  website: ['group', 'flows'],
  home: [],
  settings: [],
};

const feature = (name: string) => `app/features/${name}`;
const forScreens = ['app/shell', ...(base['app/shell'] ?? [])];
const parts: Readonly<Record<string, readonly string[]>> = {
  'app/i18n': [],
  ...base,
  ...Object.fromEntries(Object.entries(features).map(([name, allowed]) => [feature(name), [...forScreens, ...allowed.map(feature)]])),
};
const names = Object.keys(parts);

for (const [part, allowed] of Object.entries(parts)) {
  const below = allowed.find((other) => names.indexOf(other) < 0 || names.indexOf(other) > names.indexOf(part));
  if (below !== undefined) {
    throw new Error(`oxlint.config.ts: ${part} must not import ${below}, which does not stand above it.`);
  }
}

/** What a file of a part can write to import from another one: the path up to each folder that both are in, and down again. */
function written(from: string, to: string): string[] {
  const [here, there] = [from.split('/'), to.split('/')];
  const differ = here.findIndex((folder, i) => folder !== there[i]);
  const common = differ < 0 ? here.length : differ;
  return Array.from({ length: common + 1 }, (_, kept) => '../'.repeat(here.length - kept) + there.slice(kept).join('/'));
}

/** Forbids a part to import what is not named. */
function zone(part: string, allowed: readonly string[]): OxlintOverride {
  const others = [...names, 'testing'].filter((other) => other !== part && !allowed.includes(other));
  const ways = others.flatMap((other) => written(part, other)).map((way) => way.replaceAll('.', String.raw`\.`));
  return {
    files: [`${part}/**`],
    excludeFiles: ['**/*.test.{ts,tsx}'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: `^(?:\\./)*(${ways.join('|')})(/|$)`,
              message: `${part} may import ${['itself', ...allowed].join(', ')}: see oxlint.config.ts.`,
            },
          ],
        },
      ],
    },
  };
}

export default defineConfig({
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'react', 'jsx-a11y', 'import', 'promise', 'vitest'],
  categories: { correctness: 'error', suspicious: 'error' },
  env: { browser: true, es2024: true },
  ignorePatterns: ['dist', 'app/api/generated'],
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'react/rules-of-hooks': 'error',
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    // What imports nothing is a style.
    'import/no-unassigned-import': 'off',
    // Some packages offer both, and the build makes modules of workers.
    'import/default': 'off',
    'import/no-named-as-default': 'off',
    'import/no-named-as-default-member': 'off',
    // The build imports it.
    'react/react-in-jsx-scope': 'off',
    // Texts with elements in them take functions that return elements.
    'react/no-unstable-nested-components': 'off',
    // What the React compiler wants, which is not used.
    'react/immutability': 'off',
    'react/incompatible-library': 'off',
    'react/refs': 'off',
    'react/exhaustive-effect-dependencies': 'off',
    // A list of which only a part is drawn, a slider over pictures and the like exist as roles only.
    'jsx-a11y/prefer-tag-over-role': 'off',
    // What scrolls has to be reached by keys.
    'jsx-a11y/no-noninteractive-tabindex': 'off',
    // Whoever presses Edit, or comes to paste an address, goes on there.
    'jsx-a11y/no-autofocus': 'off',
    // Small functions stand where they are used.
    'unicorn/consistent-function-scoping': 'off',
    'no-underscore-dangle': 'off',
  },
  overrides: [
    // A checkbox tells its state by itself.
    { files: ['ui/Switch.tsx'], rules: { 'jsx-a11y/role-has-required-aria-props': 'off' } },
    { files: ['testing/**'], rules: { 'vitest/no-standalone-expect': 'off' } },
    // Their fixtures are given by a function named use, and properties hold for some of the values only.
    { files: ['e2e/**'], rules: { 'react/rules-of-hooks': 'off' } },
    { files: ['**/*.test.ts'], rules: { 'vitest/no-conditional-expect': 'off' } },
    // The catalogues of the screens are put together in app/i18n.
    ...Object.entries(parts)
      .filter(([part]) => part !== 'app/i18n')
      .map(([part, allowed]) => zone(part, allowed)),
  ],
});
