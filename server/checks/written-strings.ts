import ts from 'typescript';
import { lineOf, parse } from './source-tree.ts';

/** A string that somebody reads, and where it stands: `:12` of a source, ` at /paths/…` of a JSON document. */
export interface WrittenString {
  where: string;
  text: string;
}

/** Every value of a JSON document: descriptions, summaries, messages and examples alike. */
export function stringsOfDocument(document: string): WrittenString[] {
  const found: WrittenString[] = [];
  const visit = (value: unknown, pointer: string): void => {
    if (typeof value === 'string') found.push({ where: ` at ${pointer}`, text: value });
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) visit(inner, `${pointer}/${key.replaceAll('/', '~1')}`);
  };
  visit(JSON.parse(document), '');
  return found;
}

/** Every string of a source file, with the pieces that `+` joins as one. */
export function stringsOfSource(path: string, text: string): WrittenString[] {
  const source = parse(path, text);
  const found: WrittenString[] = [];
  const visit = (node: ts.Node): void => {
    const words = textOf(node);
    if (words === undefined) ts.forEachChild(node, visit);
    else {
      found.push({ where: `:${lineOf(source, node)}`, text: words });
      for (const inner of insertedIn(node)) visit(inner);
    }
  };
  visit(source);
  return found;
}

/** The names of tests: the first argument of `test`, `it`, `describe`, `t.test` and their `skip` and `only`. */
export function testNamesOf(path: string, text: string): WrittenString[] {
  const source = parse(path, text);
  const found: WrittenString[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(\w+\.)?(test|it|describe)(\.\w+)?$/.test(node.expression.getText(source))) {
      const name = node.arguments[0];
      const words = name === undefined ? undefined : textOf(name);
      if (words !== undefined) found.push({ where: `:${lineOf(source, node)}`, text: words });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The text of a string, with `…` where a value goes; undefined when it is none. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map((span) => `…${span.literal.text}`).join('');
  if (!isSum(node)) return undefined;
  const left = textOf(node.left);
  const right = textOf(node.right);
  return left === undefined && right === undefined ? undefined : `${left ?? '…'}${right ?? '…'}`;
}

/** The values that stand between the words of a string; they may hold strings of their own. */
function insertedIn(node: ts.Node): ts.Node[] {
  if (ts.isTemplateExpression(node)) return node.templateSpans.map((span) => span.expression);
  if (!isSum(node)) return [];
  return [node.left, node.right].flatMap((side) => (textOf(side) === undefined ? [side] : insertedIn(side)));
}

const isSum = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;
