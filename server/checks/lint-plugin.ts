/**
 * House rules that oxlint cannot say with its own. Loaded by oxlint as a plugin (see .oxlintrc.json), which strips the
 * types like Node does; the shapes below are the few corners of the syntax tree that the rules look at.
 */
interface Syntax {
  type: string;
  name?: string;
  range: [number, number];
  loc: { start: { line: number } };
  arguments?: Syntax[];
  callee?: Syntax;
  params?: Syntax[];
  body?: Syntax | Syntax[];
  object?: Syntax;
  property?: Syntax;
  expression?: Syntax;
  typeAnnotation?: Syntax;
  typeName?: Syntax;
  right?: Syntax;
}
interface Comment {
  loc: { start: { line: number }; end: { line: number } };
}
interface RuleContext {
  report(problem: { node: Syntax; message: string }): void;
  sourceCode: { getAllComments(): Comment[] };
}
type Visitor = Record<string, (node: Syntax) => void>;

const isFunction = (node: Syntax): boolean =>
  node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression';

/** The one call that a function consists of: `() => f()`, `() => { f(); }`. */
function onlyCall(fn: Syntax): Syntax | undefined {
  const block = Array.isArray(fn.body) ? undefined : fn.body;
  const statements = block?.type === 'BlockStatement' && Array.isArray(block.body) ? block.body : [block];
  const only = statements.length === 1 ? statements[0] : undefined;
  const call = only?.type === 'ExpressionStatement' ? only.expression : only;
  return call?.type === 'CallExpression' ? call : undefined;
}

/**
 * The function given to `new Promise(…)` when it does nothing but resolve after a time. A timeout that rejects is
 * fine.
 */
function isSleep(executor: Syntax): boolean {
  const resolve = executor.params?.[0]?.name;
  const timer = onlyCall(executor);
  if (resolve === undefined || nameOf(timer?.callee) !== 'setTimeout') return false;
  const then = timer?.arguments?.[0];
  if (then === undefined) return false;
  return isFunction(then) ? onlyCall(then)?.callee?.name === resolve : then.name === resolve;
}

const nameOf = (callee: Syntax | undefined): string | undefined =>
  callee?.type === 'MemberExpression' ? callee.property?.name : callee?.name;

/** A comment on the same line, or ending on the line above, is taken as the reason. */
function linesWithReason(context: RuleContext): Set<number> {
  const lines = new Set<number>();
  for (const { loc } of context.sourceCode.getAllComments()) {
    for (let line = loc.start.line; line <= loc.end.line + 1; line += 1) lines.add(line);
  }
  return lines;
}

const noAmbientTime = {
  create: (context: RuleContext): Visitor => ({
    NewExpression(node) {
      if (node.callee?.name === 'Date' && node.arguments?.length === 0) {
        context.report({ node, message: 'Time comes from the clock that is passed in (#platform/clock.ts).' });
      }
    },
  }),
};

const noSleep = {
  create: (context: RuleContext): Visitor => ({
    NewExpression(node) {
      const executor = node.arguments?.[0];
      if (node.callee?.name === 'Promise' && executor && isFunction(executor) && isSleep(executor)) {
        context.report({ node, message: 'Wait for a condition or a moment; a sleep is too short or too long.' });
      }
    },
  }),
};

const explainedAssertions = {
  create(context: RuleContext): Visitor {
    let reasons: Set<number> | undefined;
    const explain = (node: Syntax, what: string): void => {
      reasons ??= linesWithReason(context);
      if (!reasons.has(node.loc.start.line)) {
        context.report({ node, message: `Say in a comment, here or on the line above, why ${what}.` });
      }
    };
    return {
      TSNonNullExpression: (node) => explain(node, 'this cannot be null'),
      TSAsExpression(node) {
        const type = node.typeAnnotation;
        const isConst = type?.typeName?.name === 'const';
        // Whatever Node throws from a system call has `code`; there is no other way to ask for it.
        const isSystemError = type?.typeName?.right?.name === 'ErrnoException';
        if (!isConst && !isSystemError && type?.type !== 'TSUnknownKeyword')
          explain(node, 'the compiler may be overruled');
      },
    };
  },
};

export default {
  meta: { name: 'house' },
  rules: { 'no-ambient-time': noAmbientTime, 'no-sleep': noSleep, 'explained-assertions': explainedAssertions },
};
