import { posix } from 'node:path';
import ts from 'typescript';
import type { Check } from './check.ts';
import { filesBelow, lineOf, readText } from './source-tree.ts';

/** The folders of dashboard/src, and the folders that each may import besides itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  app: ['pages', 'ui', 'lib', 'api'],
  pages: ['ui', 'lib', 'api'],
  ui: ['lib'],
  api: ['lib'],
  lib: [],
};

/** Parts that know no router, no query and no API can be used, and tested, anywhere. */
const UI_KNOWS_NOT = /^@tanstack\/react-(query|router)/;

interface Import {
  line: number;
  specifier: string;
}

/**
 * The direction of imports in the dashboard (`app → pages → ui → lib`; pages do not import each other), and the wall
 * between it and the server: they share `openapi.json` and nothing else.
 */
export const dashboardLayers: Check = {
  name: 'dashboard-layers',
  run({ root }) {
    return [
      ...sourcesOf(root, 'dashboard').flatMap((file) =>
        importsOf(root, file).flatMap(({ line, specifier }) => {
          const problem = problemOf(file, specifier);
          return problem === undefined ? [] : [`${file}:${line} imports ${specifier}: ${problem}`];
        }),
      ),
      ...sourcesOf(root, 'server/src').flatMap((file) =>
        importsOf(root, file)
          .filter(({ specifier }) => isRelative(specifier) && target(file, specifier).startsWith('dashboard/'))
          .map(({ line, specifier }) => `${file}:${line} imports ${specifier}: the server knows only the built files`),
      ),
    ];
  },
};

const sourcesOf = (root: string, folder: string): string[] =>
  filesBelow(`${root}/${folder}`)
    .filter((file) => /\.[mc]?tsx?$/.test(file))
    .map((file) => `${folder}/${file}`);

const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file);
/**
 * A test may hold a table of the dashboard against that of the server; proofs and pictures start a real server, with
 * the build that its start makes.
 */
const mayLeave = (file: string, path: string): boolean =>
  isTest(file) ||
  (/^dashboard\/(test|scripts)\//.test(file) &&
    /^(server\/test\/(harness\/|system-tools\.ts$)|scripts\/dashboard\.mjs$)/.test(path));
const isRelative = (specifier: string): boolean => specifier.startsWith('.');
const target = (file: string, specifier: string): string => posix.join(posix.dirname(file), specifier);

function problemOf(file: string, specifier: string): string | undefined {
  const [from, page] = partsOf(file);
  if (!isRelative(specifier)) {
    if (/^(#|@posthorn\/server)/.test(specifier)) return 'the dashboard knows the API, and no code of the server';
    return from === 'ui' && UI_KNOWS_NOT.test(specifier) ? 'ui knows no router and no query' : undefined;
  }
  const path = target(file, specifier);
  if (!path.startsWith('dashboard/'))
    return mayLeave(file, path) ? undefined : 'the dashboard knows the API, and no code of the server';
  const [to, otherPage] = partsOf(path);
  if (from === undefined || to === undefined || MAY_IMPORT[to] === undefined) return undefined;
  if (from === to) return from === 'pages' && page !== otherPage ? 'pages do not import each other' : undefined;
  return MAY_IMPORT[from]?.includes(to) === false
    ? `${from} does not import ${to} (app → pages → ui → lib)`
    : undefined;
}

/** The folder of src that a path is in, and the folder in it; nothing for a file of src itself, which starts it all. */
function partsOf(path: string): [folder?: string, below?: string] {
  const [, src, folder, below, ...rest] = path.split('/');
  if (src !== 'src' || folder === undefined || below === undefined) return [];
  return rest.length === 0 ? [folder] : [folder, below];
}

function importsOf(root: string, file: string): Import[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, readText(root, file), ts.ScriptTarget.Latest, true, kind);
  const found: Import[] = [];
  const note = (node: ts.Node | undefined): void => {
    if (node !== undefined && ts.isStringLiteral(node))
      found.push({ line: lineOf(source, node), specifier: node.text });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) note(node.moduleSpecifier);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) note(node.arguments[0]);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
