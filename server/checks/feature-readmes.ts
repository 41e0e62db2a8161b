import { existsSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import type { Check, Tree } from './check.ts';
import { backticked, paragraph, section } from './readme-sections.ts';
import { filesBelow, isTestFile, parse, readText } from './source-tree.ts';
import { statementsIn } from './sql-statements.ts';
import { tablesIn } from './tenant-scope.ts';
import { readTables } from './tenant-tables.ts';

const LINES_MAX = 40;
const ROUTE = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (\/\S*)$/;

/**
 * A feature's README names, in backticks, the tables it owns under "Tables" and its routes under "Routes"
 * (`POST /v1/things`). Both lists must be what the code does: a map that lies is worse than none.
 */
export const featureReadmes: Check = {
  name: 'readmes',
  run(tree) {
    const features = join(tree.server, 'src/features');
    const names = new Set(
      filesBelow(features).flatMap((file) => (file.includes('/') ? [file.split('/')[0] ?? ''] : [])),
    );
    const schema = readTables(join(tree.server, 'migrations')).all;
    return [...names].flatMap((name) => readmeProblems(tree, name, schema));
  },
};

function readmeProblems({ server }: Tree, feature: string, schema: Set<string>): string[] {
  const folder = join(server, 'src/features', feature);
  const shown = `server/src/features/${feature}/README.md`;
  if (!existsSync(join(folder, 'README.md'))) return [`${shown} is missing`];
  const text = readText(folder, 'README.md');
  const lines = text.trimEnd().split('\n').length;
  const problems = lines > LINES_MAX ? [`${shown} has ${lines} lines; the limit is ${LINES_MAX}`] : [];

  const code = filesBelow(folder).filter((file) => file.endsWith('.ts') && !isTestFile(file));
  const routes = new Set(code.flatMap((file) => routesIn(file, readText(folder, file))));
  const listedRoutes = new Set(backticked(section(text, 'Routes')).filter((item) => ROUTE.test(item)));
  for (const route of routes) if (!listedRoutes.has(route)) problems.push(`${shown} does not list the route ${route}`);
  for (const route of listedRoutes)
    if (!routes.has(route)) problems.push(`${shown} lists ${route}, which no file declares`);

  const statements = code.flatMap((file) =>
    statementsIn(file, readText(folder, file)).map((statement) => statement.text),
  );
  const used = new Set(statements.flatMap(tablesIn));
  for (const table of backticked(paragraph(text, 'Tables')).filter((item) => /^(?!ph_)[a-z_0-9]+$/.test(item))) {
    if (!schema.has(table)) problems.push(`${shown} lists the table ${table}, which no migration creates`);
    else if (!used.has(table)) problems.push(`${shown} lists the table ${table}, which no statement of it names`);
  }
  return problems;
}

/** The routes that `route({ method: 'POST', path: '/v1/things', … })` declares, as `POST /v1/things`. */
function routesIn(path: string, text: string): string[] {
  if (!text.includes('route(')) return [];
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'route') {
      const fields = new Map<string, string>();
      const options = node.arguments[0];
      for (const property of options && ts.isObjectLiteralExpression(options) ? options.properties : []) {
        if (
          ts.isPropertyAssignment(property) &&
          ts.isIdentifier(property.name) &&
          ts.isStringLiteral(property.initializer)
        ) {
          fields.set(property.name.text, property.initializer.text);
        }
      }
      if (fields.has('method') && fields.has('path')) found.push(`${fields.get('method')} ${fields.get('path')}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(parse(path, text));
  return found;
}
