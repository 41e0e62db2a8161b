import ts from 'typescript';
import { lineOf, parse } from './source-tree.ts';

export interface Statement {
  line: number;
  /**
   * The text with `$` where a parameter goes; fragments written in place, or in a constant of the file, are filled
   * in.
   */
  text: string;
}

const isSqlTemplate = (node: ts.Node): node is ts.TaggedTemplateExpression =>
  ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && node.tag.text === 'sql';

/** The `sql` templates of a file that are not themselves part of a larger one. */
export function statementsIn(path: string, text: string): Statement[] {
  const source = parse(path, text);
  const fragments = constantFragments(source);
  const found: Statement[] = [];
  const visit = (node: ts.Node): void => {
    if (isSqlTemplate(node)) found.push({ line: lineOf(source, node), text: textOf(node.template, fragments) });
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function constantFragments(source: ts.SourceFile): Map<string, ts.TemplateLiteral> {
  const fragments = new Map<string, ts.TemplateLiteral>();
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (ts.isIdentifier(name) && initializer && isSqlTemplate(initializer)) {
        fragments.set(name.text, initializer.template);
      }
    }
  }
  return fragments;
}

function textOf(template: ts.TemplateLiteral, fragments: Map<string, ts.TemplateLiteral>): string {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  return [
    template.head.text,
    ...template.templateSpans.flatMap((span) => [insertedText(span.expression, fragments), span.literal.text]),
  ].join('');
}

function insertedText(expression: ts.Expression, fragments: Map<string, ts.TemplateLiteral>): string {
  if (ts.isIdentifier(expression)) {
    const fragment = fragments.get(expression.text);
    return fragment ? ` ${textOf(fragment, fragments)} ` : '$';
  }
  const parts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isSqlTemplate(node)) parts.push(textOf(node.template, fragments));
    else ts.forEachChild(node, visit);
  };
  visit(expression);
  return parts.length > 0 ? ` ${parts.join(' ')} ` : '$';
}

/**
 * Names that reach a statement as a value (`sql.table(name)`, `sql.raw(text)`) cannot be read off its text. One that
 * visibly begins like no table of a workspace (sql.raw(`step_${n}`)) is fine.
 */
export function hiddenNamesIn(path: string, text: string, tenantTables: Set<string>): number[] {
  const source = parse(path, text);
  const lines: number[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      ts.isIdentifier(node.expression.expression) &&
      node.expression.expression.text === 'sql' &&
      ['table', 'id', 'ref', 'raw'].includes(node.expression.name.text) &&
      !isHarmlessName(node.arguments[0], tenantTables)
    ) {
      lines.push(lineOf(source, node));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lines;
}

function isHarmlessName(argument: ts.Expression | undefined, tenantTables: Set<string>): boolean {
  if (argument === undefined) return false;
  const begins = ts.isTemplateExpression(argument) ? argument.head.text : undefined;
  const known = ts.isStringLiteralLike(argument) ? argument.text : begins;
  if (known === undefined || !/^\w+$/.test(known)) return false;
  return begins === undefined
    ? !tenantTables.has(known)
    : [...tenantTables].every((table) => !table.startsWith(begins) && !begins.startsWith(table));
}
