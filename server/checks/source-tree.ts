import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

/** Installed, built, or written by a generator: `generated` is the API client of the dashboard. */
const NOT_OURS = new Set([
  'node_modules',
  '.git',
  '.cache',
  'data',
  'dist',
  'coverage',
  'test-results',
  'shots',
  'generated',
]);

/** `data` is where a server keeps its database, and in src a folder like every other. */
const isOurData = (folder: string, name: string): boolean => name === 'data' && /[\\/]src([\\/]|$)/.test(folder);

/** Every file below `folder` as a path relative to `base`, sorted; nothing when the folder does not exist. */
export function filesBelow(folder: string, base = folder): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !NOT_OURS.has(name) || isOurData(folder, name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(path, base);
      return entry.isFile() ? [relative(base, path)] : [];
    })
    .toSorted();
}

export const readText = (...path: string[]): string => readFileSync(join(...path), 'utf8');

/** Tests, and what they share beside the code: `test-kit.ts`. */
export const isTestFile = (path: string): boolean =>
  /(\.(test|e2e|prove|bench|conformance)|(^|\/)test-kit)\.ts$/.test(path);

/** TypeScript 6 parses (version 7 has no programming interface yet); types are not looked at. */
export const parse = (path: string, text: string): ts.SourceFile =>
  ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);

export const lineOf = (source: ts.SourceFile, node: ts.Node): number =>
  source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
