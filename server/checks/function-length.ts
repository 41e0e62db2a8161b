import { join } from 'node:path';
import ts from 'typescript';
import type { Check } from './check.ts';
import { filesBelow, isTestFile, lineOf, parse, readText } from './source-tree.ts';

const LINES_MAX = 60;
const ROUTES = /(^|[/-])routes\.ts$/;

/**
 * A function of more than 60 lines does several things in a row, each of which has a name. Lines of SQL and of other
 * tagged templates do not count, and a table of routes may be as long as what it lists.
 */
export const functionLength: Check = {
  name: 'functions',
  run({ server }) {
    const source = join(server, 'src');
    return filesBelow(source)
      .filter((file) => file.endsWith('.ts') && !isTestFile(file))
      .flatMap((file) => problemsIn(file, readText(source, file)));
  },
};

function problemsIn(file: string, text: string): string[] {
  const source = parse(file, text);
  const problems: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined && !isRouteTable(file, node)) {
      const lines = linesOf(source, node) - templateLines(source, node);
      if (lines > LINES_MAX)
        problems.push(
          `server/src/${file}:${lineOf(source, node)} ${nameOf(node)} has ${lines} lines; the limit is ${LINES_MAX}`,
        );
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return problems;
}

const linesOf = (source: ts.SourceFile, node: ts.Node): number =>
  source.getLineAndCharacterOfPosition(node.getEnd()).line - lineOf(source, node) + 2;

/** Lines that begin inside a tagged template; of one inside another only those of the outer. */
function templateLines(source: ts.SourceFile, root: ts.Node): number {
  let lines = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node)) lines += linesOf(source, node.template) - 1;
    else ts.forEachChild(node, visit);
  };
  visit(root);
  return lines;
}

/** In a file of routes: a function that returns a list and does nothing after it, or a handler of none. */
function isRouteTable(file: string, node: ts.Node): boolean {
  if (!ROUTES.test(file) || !('body' in node) || node.body === undefined) return false;
  const body = node.body as ts.Node; // checked to be a function with a body
  if (ts.isParenthesizedExpression(body) || ts.isArrayLiteralExpression(body)) return true;
  const last = ts.isBlock(body) ? body.statements.at(-1) : undefined;
  return last !== undefined && ts.isReturnStatement(last) && last.expression !== undefined
    ? ts.isArrayLiteralExpression(last.expression)
    : false;
}

function nameOf(node: ts.Node): string {
  if ('name' in node && node.name !== undefined && ts.isIdentifier(node.name as ts.Node))
    return (node.name as ts.Identifier).text; // checked in the line above
  const { parent } = node;
  return ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name) ? parent.name.text : 'a function';
}
