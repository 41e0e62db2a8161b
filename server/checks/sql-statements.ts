import ts from 'typescript';
import { lineOf, parse } from './source-tree.ts';

export interface Statement {
  line: number;
  /**
   * The text with `$` where a parameter goes. Fragments written in place, or in a constant, are filled in, and so is
   * the name of a table. A statement on one of several tables is one for each.
   */
  text: string;
}

const isSqlTemplate = (node: ts.Node): node is ts.TaggedTemplateExpression =>
  ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && node.tag.text === 'sql';

/** The `sql` templates of a file that are not themselves part of a larger one. */
export function statementsIn(path: string, text: string): Statement[] {
  const source = parse(path, text);
  const found: Statement[] = [];
  const visit = (node: ts.Node): void => {
    if (isSqlTemplate(node)) {
      const line = lineOf(source, node);
      found.push(...textsOf(node.template).map((one) => ({ line, text: one })));
    } else ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** One text, or one for each name that the table of the statement can have. */
function textsOf(template: ts.TemplateLiteral): string[] {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return [template.text];
  return template.templateSpans.reduce<string[]>(
    (texts, span) => {
      const inserted = insertedTexts(span.expression);
      return texts.flatMap((begin) => inserted.map((part) => begin + part + span.literal.text));
    },
    [template.head.text],
  );
}

function insertedTexts(expression: ts.Expression): string[] {
  const tables = listedTables(expression);
  if (tables !== undefined) return tables;
  if (ts.isIdentifier(expression)) {
    const fragment = constantFragment(expression);
    return fragment ? textsOf(fragment).map((text) => ` ${text} `) : ['$'];
  }
  const parts: string[][] = [];
  const visit = (node: ts.Node): void => {
    if (isSqlTemplate(node)) parts.push(textsOf(node.template));
    else ts.forEachChild(node, visit);
  };
  visit(expression);
  if (parts.length === 0) return ['$'];
  return parts.reduce((texts, part) => texts.flatMap((begin) => part.map((text) => `${begin} ${text} `)), ['']);
}

/** Of `const rest = sql`…``, in the function around the name or in the file. */
function constantFragment(name: ts.Identifier): ts.TemplateLiteral | undefined {
  const scope = scopeOf(name);
  if (scope === undefined || !(ts.isBlock(scope) || ts.isSourceFile(scope))) return undefined;
  const initializer = scope.statements
    .filter(ts.isVariableStatement)
    .filter(({ declarationList }) => (declarationList.flags & ts.NodeFlags.Const) !== 0)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .find((declaration) => ts.isIdentifier(declaration.name) && declaration.name.text === name.text)?.initializer;
  return initializer && isSqlTemplate(initializer) ? initializer.template : undefined;
}

/** Of a function or a block: the name is another one from here on. */
function declares(node: ts.Node, name: string): boolean {
  const declared = ts.isFunctionLike(node)
    ? node.parameters.map((parameter) => parameter.name)
    : ts.isBlock(node) || ts.isSourceFile(node)
      ? node.statements
          .filter(ts.isVariableStatement)
          .flatMap(({ declarationList }) => declarationList.declarations.map((declaration) => declaration.name))
      : [];
  return declared.some((one) => namesIn(one).includes(name));
}

const namesIn = (bound: ts.BindingName): string[] =>
  ts.isIdentifier(bound)
    ? [bound.text]
    : [...bound.elements].flatMap((element) => (ts.isOmittedExpression(element) ? [] : namesIn(element.name)));

/** The function or block around a name that declares it. */
function scopeOf(name: ts.Identifier): ts.Node | undefined {
  let node: ts.Node | undefined = name.parent;
  while (node !== undefined && !declares(node, name.text)) node = node.parent;
  return node;
}

/**
 * The names that `sql.table(table)` can have: `table` is a parameter, and its type lists them in place or in the file
 * (`type Purged = 'subscribers' | 'issues'`). Undefined for anything else.
 */
function listedTables(expression: ts.Expression): string[] | undefined {
  if (!isNameCall(expression) || expression.expression.name.text !== 'table') return undefined;
  const [name] = expression.arguments;
  if (name === undefined || !ts.isIdentifier(name)) return undefined;
  const scope = scopeOf(name);
  if (scope === undefined || !ts.isFunctionLike(scope)) return undefined;
  return literalsOf(scope.parameters.find((one) => ts.isIdentifier(one.name) && one.name.text === name.text)?.type);
}

function literalsOf(type: ts.TypeNode | undefined): string[] | undefined {
  if (type === undefined) return undefined;
  if (ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName)) {
    const { text } = type.typeName;
    const alias = type.getSourceFile().statements.filter(ts.isTypeAliasDeclaration);
    return literalsOf(alias.find(({ name, typeParameters }) => name.text === text && !typeParameters)?.type);
  }
  const types = ts.isUnionTypeNode(type) ? [...type.types] : [type];
  const names = types.map((one) =>
    ts.isLiteralTypeNode(one) && ts.isStringLiteral(one.literal) ? one.literal.text : undefined,
  );
  return names.every((name) => name !== undefined) ? names : undefined;
}

/** `sql.table(…)`, `sql.raw(…)` and the like. */
const isNameCall = (node: ts.Node): node is ts.CallExpression & { expression: ts.PropertyAccessExpression } =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  ts.isIdentifier(node.expression.expression) &&
  node.expression.expression.text === 'sql' &&
  ['table', 'id', 'ref', 'raw'].includes(node.expression.name.text);

/**
 * Names that reach a statement as a value (`sql.table(name)`, `sql.raw(text)`) cannot be read off its text. One that
 * visibly begins like no table of a workspace (sql.raw(`step_${n}`)) is fine, and so is a table that a type lists.
 */
export function hiddenNamesIn(path: string, text: string, tenantTables: Set<string>): number[] {
  const source = parse(path, text);
  const lines: number[] = [];
  const visit = (node: ts.Node): void => {
    if (isNameCall(node) && listedTables(node) === undefined && !isHarmlessName(node.arguments[0], tenantTables)) {
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
