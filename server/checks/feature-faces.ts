import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';
import type { Check } from './check.ts';
import { filesBelow, lineOf, parse, readText } from './source-tree.ts';

const NAMES_MAX = 40;
const FACE = 'index.ts';

/** Every feature has one face: explicit re-exports, the `feature` object for main, and nothing else. */
export const featureFaces: Check = {
  name: 'faces',
  run({ server }) {
    const features = join(server, 'src/features');
    const files = filesBelow(features);
    const names = new Set(files.filter((file) => file.includes('/')).map((file) => file.split('/')[0] ?? ''));
    const strays = filesBelow(join(server, 'src'))
      .filter((file) => basename(file) === FACE && !/^features\/[^/]+\/index\.ts$/.test(file))
      .map((file) => `server/src/${file}: only a feature has an index.ts, and its folders have none`);
    return [...strays, ...[...names].flatMap((name) => faceProblems(features, name))];
  },
};

function faceProblems(features: string, name: string): string[] {
  const face = join(features, name, FACE);
  const shown = `server/src/features/${name}/${FACE}`;
  if (!existsSync(face)) return [`${shown} is missing`];
  const source = parse(face, readText(face));
  const problems: string[] = [];
  let count = 0;
  for (const statement of source.statements) {
    const at = `${shown}:${lineOf(source, statement)}`;
    if (ts.isExportDeclaration(statement)) {
      if (statement.exportClause && ts.isNamedExports(statement.exportClause))
        count += statement.exportClause.elements.length;
      else problems.push(`${at} exports *; name what others may use`);
    } else if (isFeatureObject(statement)) count += 1;
    else if (!ts.isImportDeclaration(statement))
      problems.push(`${at} holds code; a face only re-exports, and declares \`feature\``);
  }
  if (count > NAMES_MAX) problems.push(`${shown} exports ${count} names; the limit is ${NAMES_MAX}`);
  return problems;
}

const isFeatureObject = (statement: ts.Statement): boolean =>
  ts.isVariableStatement(statement) &&
  statement.declarationList.declarations.every(({ name }) => ts.isIdentifier(name) && name.text === 'feature');
