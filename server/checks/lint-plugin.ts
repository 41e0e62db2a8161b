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
  source?: { value?: unknown };
  specifiers?: { imported?: Syntax }[];
}
interface Comment {
  loc: { start: { line: number }; end: { line: number } };
}
interface RuleContext {
  filename: string;
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

/** Files of src that read a clock or set a timer by themselves, with the reason why no clock is passed in. */
const OWN_TIME: readonly [file: string, why: string][] = [
  ['src/platform/clock.ts', 'it is the clock'],
  ['src/platform/ids.ts', 'an id is made where no clock is at hand, and only its order matters'],
  ['src/platform/moments.ts', 'it bounds how long a test is patient, also one whose clock stands still'],
  [
    'src/platform/db/database.ts',
    'a transaction that lost to another pauses for 150 ms at most, and has a Db and no more',
  ],
  ['src/platform/db/bounded-statements.ts', 'the time-out of a statement, by the clock of its socket'],
  ['src/platform/postgres/postmaster.ts', 'it waits for another process, before the application is composed'],
  ['src/platform/http/broken-request.ts', 'the socket of a client whose bytes never became a request'],
  ['src/features/templates/engine/liquid-engine.ts', 'it measures the processor time of this process'],
  ['src/providers/smtp/smtp-session.ts', 'time-outs of the socket to a mail server'],
  ['src/providers/smtp/connection-pool.ts', 'connections of a mail server that are idle or waited for'],
  ['src/providers/smtp/smtp-provider.ts', 'the clock of its sockets when none is given'],
  ['src/providers/smtp/probe-smtp.ts', 'the clock of one socket to a mail server'],
  ['src/providers/ses/ses-provider.ts', 'the time-out of a request to Amazon SES, and its clock when none is given'],
  ['src/providers/ses/ses-client.ts', 'the clock of its sockets when none is given'],
];
const READ_THE_CLOCK =
  'Time comes from the clock that is passed in: clock.now(), clock.monotonicMs() (#platform/clock.ts).';
const WAIT_BY_THE_CLOCK =
  'Wait by the clock that is passed in: clock.sleep(ms, signal), clock.timer(ms, act), clock.interval(ms, act), or a loop of #platform/work.';
const PASS_THE_CLOCK = 'Take a Clock; main makes the one of the system and passes it down.';

const noAmbientTime = {
  create(context: RuleContext): Visitor {
    const path = context.filename.replaceAll('\\', '/');
    if (OWN_TIME.some(([file]) => path.endsWith(`/${file}`))) return {};
    return {
      NewExpression(node) {
        if (node.callee?.name === 'Date' && node.arguments?.length === 0)
          context.report({ node, message: READ_THE_CLOCK });
      },
      CallExpression(node) {
        const { callee } = node;
        const owner = callee?.type === 'MemberExpression' ? callee.object?.name : 'globalThis';
        const name = nameOf(callee) ?? '';
        if (owner === 'performance' && name === 'now') context.report({ node, message: READ_THE_CLOCK });
        if (owner === 'globalThis' && (name === 'setTimeout' || name === 'setInterval'))
          context.report({ node, message: WAIT_BY_THE_CLOCK });
      },
      ImportDeclaration(node) {
        const from = String(node.source?.value);
        const names = (node.specifiers ?? []).map(({ imported }) => imported?.name ?? '');
        if (from.startsWith('node:timers') && names.some((name) => name !== 'setImmediate'))
          context.report({ node, message: WAIT_BY_THE_CLOCK });
        if (names.includes('systemClock') && !path.includes('/src/main/'))
          context.report({ node, message: PASS_THE_CLOCK });
      },
    };
  },
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

const EFFECTS = ['useEffect', 'useLayoutEffect', 'useInsertionEffect'];

/**
 * React calls what an effect answers when the effect ends. A body without braces answers whatever its call answers:
 * scrollIntoView answered nothing until Chromium made it a promise.
 */
const effectsInBraces = {
  create: (context: RuleContext): Visitor => ({
    CallExpression(node) {
      const effect = node.arguments?.[0];
      if (!EFFECTS.includes(nameOf(node.callee) ?? '') || effect?.type !== 'ArrowFunctionExpression') return;
      const { body } = effect;
      if (body === undefined || Array.isArray(body) || body.type === 'BlockStatement') return;
      context.report({ node: effect, message: 'Put the body in braces: React calls what an effect answers.' });
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
  rules: {
    'no-ambient-time': noAmbientTime,
    'no-sleep': noSleep,
    'effects-in-braces': effectsInBraces,
    'explained-assertions': explainedAssertions,
  },
};
