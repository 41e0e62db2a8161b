import { join } from 'node:path';
import { runsConcurrently } from '../src/platform/db/migrations/migration-files.ts';
import { type SqlStatement, splitStatements } from '../src/platform/db/migrations/split-statements.ts';
import type { Check } from './check.ts';
import { filesBelow, readText } from './source-tree.ts';

/**
 * The files that build an empty database; nothing was installed from fewer of them. All later ones run beside processes
 * that serve, on tables of any size, and are judged. This number never changes again.
 */
const BASELINE = 14;
/** In front of a statement that may block, and why that is all right here: a table of one row, for example. */
const EXCUSE = /--\s*blocks:\s*\S/;

/** The state while a file is read. */
interface Known {
  /** Tables that this file creates: empty, and nobody else's yet. */
  created: ReadonlySet<string>;
  /** `table.column` that a validated check keeps from being null. */
  notNull: ReadonlySet<string>;
  runsConcurrently: boolean;
  /** Constraints that this file adds with `not valid`. */
  addedHere: ReadonlySet<string>;
}

/** Finds statements in migrations that would keep others from a table for as long as its rows take, or for longer. */
export const blockingMigrations: Check = {
  name: 'migrations-block',
  run({ server }) {
    return blockingIn(join(server, 'migrations'), BASELINE);
  },
};

/** As sentences, for files with a number above `baseline`. */
export function blockingIn(folder: string, baseline: number): string[] {
  const checks = new Map<string, string>();
  const notNull = new Set<string>();
  const problems: string[] = [];
  for (const file of filesBelow(folder).filter((path) => path.endsWith('.sql'))) {
    const text = readText(folder, file);
    const statements = splitStatements(text);
    const found = (line: number, what: readonly string[]): void => {
      if (Number(file.slice(0, 4)) <= baseline) return;
      problems.push(...what.map((one) => `server/migrations/${file}:${line} ${one}`));
    };
    const known = {
      created: new Set(statements.flatMap((statement) => createdTable(statement) ?? [])),
      notNull,
      runsConcurrently: runsConcurrently(text),
      addedHere: new Set(statements.flatMap((statement) => notValidConstraint(statement) ?? [])),
    };
    for (const statement of statements) {
      found(statement.line, judged(statement, known));
      learnNotNull(statement, checks, notNull);
    }
    found(1, severalTables(statements, known));
  }
  return problems;
}

function judged(statement: SqlStatement, known: Known): string[] {
  if (EXCUSE.test(statement.comments)) return [];
  const text = statement.text.toLowerCase().replace(/\s+/g, ' ');
  if (known.runsConcurrently) return [];
  const table = alteredTable(text);
  if (table !== undefined) {
    return known.created.has(table) ? [] : clausesOf(text).flatMap((clause) => judgedClause(clause, table, known));
  }
  const rule = RULES.find(({ form }) => form.test(text));
  if (rule === undefined) return [];
  const on = rule.form.exec(text)?.groups?.['table'];
  return on !== undefined && known.created.has(on) ? [] : [rule.problem];
}

/** Statements other than `alter table`; the group `table` is the one whose rows they read or lock. */
const RULES: readonly { form: RegExp; problem: string }[] = [
  {
    form: /^create (?:unique )?index concurrently/,
    problem: 'cannot run in a transaction: begin the file with "-- concurrently", and have only indexes in it',
  },
  {
    form: /^drop index concurrently/,
    problem: 'cannot run in a transaction: begin the file with "-- concurrently", and have only indexes in it',
  },
  {
    form: /^create (?:unique )?index\b.*? on (?:only )?(?:public\.)?(?<table>\w+)/,
    problem:
      'builds an index while nobody can write: use "create index concurrently" in a file that begins with "-- concurrently"',
  },
  {
    form: /^drop index\b/,
    problem:
      'waits for every reader of the table: use "drop index concurrently if exists" in a file that begins with "-- concurrently"',
  },
  { form: /^reindex\b(?!.* concurrently )/, problem: 'rebuilds indexes while nobody can write' },
  { form: /^lock\b/, problem: 'locks a table; what needs a lock takes it itself, for as short as it can' },
  {
    form: /^(?:with\b.*\b)?update (?:only )?(?:public\.)?(?<table>\w+)\b/,
    problem: 'changes rows, which stay locked until the file is done: change them in pages, by a service',
  },
  {
    form: /^(?:with\b.*\b)?delete from (?:only )?(?:public\.)?(?<table>\w+)\b/,
    problem: 'deletes rows, which stay locked until the file is done: delete them in pages, by a service',
  },
  {
    form: /^insert into\b.*\bselect\b.*\bfrom (?:public\.)?(?<table>\w+)\b(?! ?\()/,
    problem: 'copies rows, however many there are: copy them in pages, by a service',
  },
  { form: /^merge\b/, problem: 'changes rows, which stay locked until the file is done: change them in pages' },
  { form: /^truncate (?:table )?(?:public\.)?(?<table>\w+)/, problem: 'empties a table that others use' },
  {
    form: /^alter domain \w+ (?:add\b(?!.* not valid$)|set not null|validate\b)/,
    problem:
      'reads every row of every table that has this domain, while nobody can write: add the constraint "not valid" and leave it so',
  },
  { form: /^cluster\b/, problem: 'writes a table anew while nobody can read it' },
  { form: /^vacuum\b/, problem: 'does not run in a transaction' },
  {
    form: /^refresh materialized view (?!concurrently)/,
    problem: 'keeps readers waiting: refresh it concurrently, by a service',
  },
  { form: /^do\b/, problem: 'is a block that no check can read: write the statements themselves' },
];

/** Functions whose value is the same for all rows of a statement, so that a default needs no new rows. */
const STABLE_DEFAULT =
  /^(?:now|current_timestamp|localtimestamp|transaction_timestamp|statement_timestamp|current_date)\b/;

function judgedClause(clause: string, table: string, known: Known): string[] {
  const rule = CLAUSES.find(({ form }) => form.test(clause));
  if (rule !== undefined) return [rule.problem];
  const validated = /^validate constraint (\w+)/.exec(clause)?.[1];
  if (validated !== undefined && known.addedHere.has(validated)) {
    return ['reads every row under the lock that added the constraint: validate it in the next file'];
  }
  const column = /^alter (?:column )?(\w+) set not null/.exec(clause)?.[1];
  if (column !== undefined && !known.notNull.has(`${table}.${column}`)) {
    return [
      `reads every row while nobody can: before it, add "check (${column} is not null) not valid" in a file of its own, ` +
        'and validate that in the next',
    ];
  }
  return /^add (?:column )?(?:if not exists )?(?!constraint|check|unique|primary|foreign|exclude)\w+ /.test(clause)
    ? judgedColumn(clause)
    : [];
}

const CLAUSES: readonly { form: RegExp; problem: string }[] = [
  {
    form: /^add (?:constraint \w+ )?(?:check|foreign key)\b(?!.*\bnot valid\b)/,
    problem: 'reads every row while nobody can write: add it "not valid", and validate it in the next file',
  },
  {
    form: /^add (?:constraint \w+ )?(?:unique|primary key)\b(?!.*\busing index\b)/,
    problem: 'builds an index while nobody can read: build it concurrently, then add the constraint "using index"',
  },
  { form: /^add (?:constraint \w+ )?exclude\b/, problem: 'builds an index while nobody can read' },
  {
    form: /^alter (?:column )?\w+ (?:set data )?type\b/,
    problem: 'may write the table anew while nobody can read it: add a column of the new type, and fill it in pages',
  },
  {
    form: /^set (?:logged|unlogged|tablespace|access method)\b/,
    problem: 'writes the table anew while nobody can read it',
  },
];

function judgedColumn(clause: string): string[] {
  const given = /\bdefault (.*)$/.exec(clause)?.[1] ?? '';
  const called = /^\(*([a-z_]\w*)\s*\(/.exec(given)?.[1] ?? '';
  if (called !== '' && !STABLE_DEFAULT.test(called)) {
    return [
      `writes every row anew for a default that ${called}() may give each row differently: add the column without it, ` +
        'set the default, and fill the rows in pages',
    ];
  }
  if (
    /\bgenerated (?:always|by default) as\b|^add (?:column )?(?:if not exists )?\w+ (?:small|big)?serial\b/.test(clause)
  ) {
    return ['writes every row anew for a column that is computed or numbered'];
  }
  if (/\bcheck ?\(/.test(clause)) {
    return [
      'reads every row for a check: add the column, then the check "not valid", and validate it in the next file',
    ];
  }
  if (/\b(?:unique|primary key)\b/.test(clause)) return ['builds an index while nobody can read'];
  return /\breferences\b/.test(clause) && given !== ''
    ? ['reads every row for a reference: add the column, then the foreign key "not valid"']
    : [];
}

function severalTables(statements: readonly SqlStatement[], known: Known): string[] {
  if (statements.some(({ comments }) => EXCUSE.test(comments))) return [];
  const tables = new Set(
    statements
      .flatMap(({ text }) => alteredTable(text.toLowerCase()) ?? [])
      .filter((table) => !known.created.has(table)),
  );
  return tables.size < 2
    ? []
    : [
        `alters ${[...tables].join(' and ')}: what is locked stays so while the next one is waited for; use a file for each`,
      ];
}

const createdTable = ({ text }: SqlStatement): string | undefined =>
  /^create\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(?:public\.)?(\w+)/i.exec(text)?.[1]?.toLowerCase();

const alteredTable = (text: string): string | undefined =>
  /^alter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?(?:public\.)?(\w+)/.exec(text)?.[1];

const notValidConstraint = ({ text }: SqlStatement): string | undefined =>
  /\badd\s+constraint\s+(\w+)[\s\S]*\bnot\s+valid\b/i.exec(text)?.[1]?.toLowerCase();

/** `add …`, `alter column …` of one `alter table`, in lower case. */
function clausesOf(text: string): string[] {
  const clauses = [''];
  let depth = 0;
  for (const [token] of text
    .replace(/^alter table (?:if exists )?(?:only )?[\w.]+ /, '')
    .matchAll(/'(?:[^']|'')*'|[^'(),]+|[(),]/g)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (token === ',' && depth === 0) clauses.push('');
    else clauses[clauses.length - 1] += token;
  }
  return clauses.map((clause) => clause.trim());
}

/** Notes which columns a check keeps from being null, once it is validated. */
function learnNotNull({ text }: SqlStatement, checks: Map<string, string>, notNull: Set<string>): void {
  const lower = text.toLowerCase().replace(/\s+/g, ' ');
  const table = alteredTable(lower);
  if (table === undefined) return;
  for (const clause of clausesOf(lower)) {
    const [, name, column] = /^add constraint (\w+) check \( ?\(?(\w+) is not null\)? ?\)/.exec(clause) ?? [];
    if (name !== undefined && column !== undefined) {
      checks.set(`${table}.${name}`, column);
      if (!/\bnot valid\b/.test(clause)) notNull.add(`${table}.${column}`);
    }
    const validated = checks.get(`${table}.${/^validate constraint (\w+)/.exec(clause)?.[1] ?? ''}`);
    if (validated !== undefined) notNull.add(`${table}.${validated}`);
  }
}
