import type { ServerFacts } from './queries.ts';

/** Debian 12 has it. */
const OLDEST = 15;

/** Everything that can be wrong with a PostgreSQL. A start and the doctor say it in the same words. */
export const SERVER_FAULTS = {
  'too old': {
    status: 'error',
    cause: `The server of DATABASE_URL is PostgreSQL <version>; Posthorn needs ${OLDEST} or later.`,
    fix: 'Upgrade that server, or set DATABASE_URL to a newer one. Without DATABASE_URL, Posthorn runs its own PostgreSQL.',
  },
  'answers early': {
    status: 'error',
    cause: 'PostgreSQL runs with synchronous_commit off: accepted mail could be lost.',
    fix: 'Turn it on for the database and the user of DATABASE_URL (show synchronous_commit tells the value).',
  },
  unsafe: {
    status: 'error',
    cause: 'PostgreSQL runs with <setting> off: a power cut can lose accepted mail or the whole database.',
    fix: 'Turn it on, or set POSTHORN_UNSAFE_DATABASE=allow.',
  },
  allowed: {
    status: 'warning',
    cause: 'PostgreSQL runs with <setting> off: a power cut can lose accepted mail or the whole database.',
    fix: 'Turn it on, and remove POSTHORN_UNSAFE_DATABASE.',
  },
} as const;

export interface ServerFault {
  kind: keyof typeof SERVER_FAULTS;
  /** The values of the `<words>` of the fault. */
  values: Readonly<Record<string, string>>;
}

/** On such a database a 2xx could not be kept. `mayLose`: the operator wants one that a power cut can lose. */
export function serverFaults(facts: ServerFacts, mayLose: boolean): ServerFault[] {
  const major = Math.floor(facts.version / 10_000);
  if (major < OLDEST) return [{ kind: 'too old', values: { version: String(major) } }];
  const off = (['fsync', 'full_page_writes'] as const).filter((name) => facts[name] === 'off');
  return [
    ...(facts.synchronousCommit === 'off' ? [{ kind: 'answers early', values: {} } as const] : []),
    ...off.map((setting) => ({ kind: mayLose ? 'allowed' : 'unsafe', values: { setting } }) as const),
  ];
}
