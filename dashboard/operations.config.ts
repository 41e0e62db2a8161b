import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Plugin } from 'vite';

/** Files of the generated client that have something for each operation of the API. */
const GENERATED = /\/(sdk|@tanstack\/react-query)\.gen\.ts$/;
const IMPORT = /^import \{([^}]*)\} from '([^']+)';$/gm;
const CONST = /^(?:export )?const (\w+) = /gm;
/** A module with one of the constants of such a file: `…/sdk.gen.ts?only=listEmails&for=src-api-session-ts`. */
const ONLY = '?only=';
/** The module that imports it. */
const FOR = '&for=';

/**
 * Makes a module of each operation. The generated client is a few files, and a file is never cut: the frame needs
 * twelve operations, so every first load would have all of them, and more with each route of the API. Of modules, each
 * goes where it is used. A module that calls an operation has a copy of its own: shared ones were files of 200 bytes,
 * five for each page, which cost more than the copies. While developing, the files are as they are.
 */
export const operations = (): Plugin => {
  const files = new Map<string, Map<string, string>>();
  const constantsOf = (file: string): Map<string, string> => {
    const known = files.get(file) ?? modulesOf(readFileSync(file, 'utf8'), file);
    files.set(file, known);
    return known;
  };
  return {
    name: 'posthorn-operations',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer) {
      const [path = '', name] = source.split(ONLY);
      if (name === undefined) return null;
      const [asker = '', ofAsker] = importer?.split(ONLY) ?? [];
      const file = await this.resolve(path, asker, { skipSelf: true });
      const caller = ofAsker?.split(FOR)[1] ?? nameOf(asker);
      return file === null ? null : { id: `${file.id}${ONLY}${name}${FOR}${caller}`, moduleSideEffects: false };
    },
    load(id) {
      const [file = '', operation] = id.split(ONLY);
      if (operation === undefined) return null;
      const [name = ''] = operation.split(FOR);
      const code = constantsOf(file).get(name);
      if (code === undefined) throw new Error(`${file} has no ${name}`);
      return { code, moduleType: 'ts' };
    },
    transform(code, id) {
      if (!code.includes('.gen.ts') || id.includes('/api/generated/')) return null;
      return { code: code.replace(IMPORT, importEach), map: null };
    },
  };
};

const nameOf = (file: string): string => relative(import.meta.dirname, file).replaceAll(/\W/g, '-');

/** An import of several constants of the client as imports of one each. Others stay. */
const importEach = (statement: string, names: string, from: string): string =>
  GENERATED.test(from)
    ? valuesOf(names)
        .map((name) => `import { ${name} } from '${from}${ONLY}${name}';`)
        .join('')
    : statement;

const valuesOf = (names: string): string[] =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));

/** The source of each constant of a generated file, with imports of what its text names. */
function modulesOf(text: string, file: string): Map<string, string> {
  const starts = [...text.matchAll(CONST)].map(({ index, 1: name = '' }) => ({ index, name }));
  if (starts.length < 100) throw new Error(`${file} has not the form that operations.config.ts reads`);
  const ways = new Map(
    [...text.matchAll(IMPORT)].flatMap(([, names = '', from = '']) => valuesOf(names).map((name) => [name, from])),
  );
  for (const { name } of starts) ways.set(name, file);
  return new Map(
    starts.map(({ index, name }, at) => {
      const body = text.slice(index, starts[at + 1]?.index).replace(/^const /, 'export const ');
      const used = new Set(body.match(/\w+/g)?.filter((word) => word !== name && ways.has(word)));
      const imports = [...used].map((word) =>
        importEach(`import { ${word} } from '${ways.get(word)}';`, word, ways.get(word) ?? ''),
      );
      return [name, `${imports.join('\n')}\n${body}`];
    }),
  );
}
