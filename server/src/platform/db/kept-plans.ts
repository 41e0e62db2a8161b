import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { codeOf } from './database-errors.ts';

const MARK = '/* keep the plan */';

/**
 * Begins a statement that runs many times a second and joins many tables: the server plans it once for a connection,
 * instead of each time (1.8 ms for a claim of emails, which itself takes 1.3 ms). Such a statement must have one text,
 * whatever its parameters are; and its plan must be good without them: what they limit has a limit in the text, too.
 */
export const keepPlan = sql.raw(MARK);

type Run = (text: string, values: unknown[], name?: string) => Promise<unknown>;

/**
 * Runs statements of one connection, and gives those that begin with `keepPlan` a name, under which the server keeps
 * them. A pooler between us and the server may not know names (PgBouncer before 1.21 in transaction mode), and a
 * change of a table can forbid the kept plan. The server says so before it does anything, so that the statement runs
 * once more without a name, and so do all later ones of this connection.
 */
export function keepingPlans(run: Run): (text: string, values: unknown[]) => Promise<unknown> {
  let keeps = true;
  return async (text, values) => {
    if (!keeps || !text.startsWith(MARK)) return run(text, values);
    try {
      return await run(text, values, nameOf(text));
    } catch (error) {
      if (!isAboutTheName(error)) throw error;
      keeps = false;
      return run(text, values).catch((later: unknown) => {
        throw codeOf(later) === IN_FAILED_TRANSACTION ? error : later;
      });
    }
  };
}

// No statement of that name; a statement of that name exists; "cached plan must not change result type".
const ABOUT_NAMES = new Set(['26000', '42P05', '0A000']);
const IN_FAILED_TRANSACTION = '25P02';

const isAboutTheName = (error: unknown): boolean => ABOUT_NAMES.has(codeOf(error) ?? '');

const names = new Map<string, string>();

/** The same text has the same name in every process: behind a pooler it can never stand for another statement. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `ph_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
    names.set(text, name);
  }
  return name;
}
