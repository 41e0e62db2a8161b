import { parseArgs } from 'node:util';

export const ROLES = ['api', 'worker', 'smtp'] as const;
export type Role = (typeof ROLES)[number];

export type Command =
  | { name: 'start'; roles: readonly Role[] }
  | { name: 'help' }
  | { name: 'doctor' }
  | { name: 'reset-password'; email: string };

export const USAGE = `Usage:
  npm start                              run everything in one process
  npm start -- --role api|worker|smtp    run parts (repeatable); they share DATABASE_URL
  npm start -- admin reset-password EMAIL
                                         set a new password and print it
  npm start -- doctor                    look for what keeps mail or its events from arriving

Settings are environment variables, also read from a file .env in this folder: see docs/operations.md.`;

/** Reads the command line; throws an Error whose message says what is wrong. */
export function readArguments(argv: readonly string[]): Command {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { role: { type: 'string', multiple: true }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) return { name: 'help' };
  if (positionals.length === 1 && positionals[0] === 'doctor') return { name: 'doctor' };
  if (positionals.length > 0) return readAdmin(positionals);
  const roles = (values.role ?? []).map((name) => {
    const role = ROLES.find((known) => known === name);
    if (role === undefined) throw new Error(`There is no role "${name}": the roles are ${ROLES.join(', ')}.`);
    return role;
  });
  return { name: 'start', roles: roles.length === 0 ? ROLES : [...new Set(roles)] };
}

function readAdmin(words: readonly string[]): Command {
  const [area, verb, email, ...more] = words;
  if (area === 'admin' && verb === 'reset-password' && email !== undefined && more.length === 0)
    return { name: 'reset-password', email };
  throw new Error(`"${words.join(' ')}" is no command.`);
}
