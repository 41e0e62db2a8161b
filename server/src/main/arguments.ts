import { parseArgs } from 'node:util';

export const ROLES = ['api', 'worker', 'smtp'] as const;
export type Role = (typeof ROLES)[number];

export type Command =
  | { name: 'start'; roles: readonly Role[] }
  | { name: 'help' }
  | { name: 'version' }
  | { name: 'doctor' }
  | AdminCommand;

export type AdminCommand =
  | { name: 'reset-password' | 'disable-2fa'; email: string }
  | { name: 'create-key'; keyName: string }
  | { name: 'resume-sending' }
  | { name: 'pause' | 'block' | 'activate'; workspace: string }
  | { name: 'quota'; workspace: string; emailsPerMonth: number | null };

export const USAGE = `Usage:
  npm start                              run everything in one process
  npm start -- --role api|worker|smtp    run parts (repeatable); they share DATABASE_URL
  npm start -- doctor                    check the database and the set-up of provider and events
  npm start -- admin create-key [NAME]   create an API key with full access and print it
  npm start -- admin reset-password EMAIL
                                         set a new password and print it
  npm start -- admin disable-2fa EMAIL   let a person sign in without a code
  npm start -- admin pause|block|activate WORKSPACE
                                         refuse sends and hold waiting mail, cancel it too, or go on (id or slug)
  npm start -- admin quota WORKSPACE N|none
                                         accept mail to N recipients a month, or to any number
  npm start -- admin resume-sending      confirm that a restored database may send
  npm start -- --version                 print the version
  npm start -- --help                    print this text

Commands may run beside a running Posthorn.
Settings are environment variables, also read from a file .env in this folder: see docs/operations.md.`;

/** Reads the command line; throws an Error whose message says what is wrong. */
export function readArguments(argv: readonly string[]): Command {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      role: { type: 'string', multiple: true },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'v' },
    },
  });
  if (values.help === true) return { name: 'help' };
  if (values.version === true) return { name: 'version' };
  if (positionals.length === 1 && positionals[0] === 'doctor') return { name: 'doctor' };
  if (positionals.length > 0) return readAdmin(positionals);
  const roles = (values.role ?? []).map((name) => {
    const role = ROLES.find((known) => known === name);
    if (role === undefined) throw new Error(`There is no role "${name}": the roles are ${ROLES.join(', ')}.`);
    return role;
  });
  return { name: 'start', roles: roles.length === 0 ? ROLES : [...new Set(roles)] };
}

const ADMIN_VERBS = [
  'create-key',
  'reset-password',
  'disable-2fa',
  'pause',
  'block',
  'activate',
  'quota',
  'resume-sending',
] as const;

function readAdmin(words: readonly string[]): AdminCommand {
  const [area, given, value] = words;
  if (area === 'admin') {
    const verb = readVerb(given);
    refuseMore(verb, words.slice(2 + wordsAfter(verb)));
    if (verb === 'resume-sending') return { name: verb };
    if (verb === 'create-key') return { name: verb, keyName: value ?? 'Made on the command line' };
    if (verb === 'pause' || verb === 'block' || verb === 'activate') {
      if (value === undefined) throw new Error(`admin ${verb} needs the id or the slug of a workspace.`);
      return { name: verb, workspace: value };
    }
    if (verb === 'quota') return readQuota(value, words[3]);
    if (value === undefined) throw new Error(`admin ${verb} needs the email address of the person.`);
    return { name: verb, email: value };
  }
  throw new Error(`"${words.join(' ')}" is no command.`);
}

const wordsAfter = (verb: (typeof ADMIN_VERBS)[number]): number =>
  verb === 'resume-sending' ? 0 : verb === 'quota' ? 2 : 1;

/** As the API takes it. */
const QUOTA_MAX = 2_000_000_000;

function readQuota(workspace: string | undefined, given: string | undefined): AdminCommand {
  if (workspace === undefined || given === undefined)
    throw new Error('admin quota needs the id or the slug of a workspace, and then a number or none.');
  if (given === 'none') return { name: 'quota', workspace, emailsPerMonth: null };
  if (!/^\d{1,10}$/.test(given) || Number(given) > QUOTA_MAX)
    throw new Error(`"${given}" is no quota: it is a whole number of recipients from 0 to ${QUOTA_MAX}, or none.`);
  return { name: 'quota', workspace, emailsPerMonth: Number(given) };
}

function readVerb(given: string | undefined): (typeof ADMIN_VERBS)[number] {
  const all = ADMIN_VERBS.join(', ');
  if (given === undefined) throw new Error(`admin needs one of ${all}.`);
  const verb = ADMIN_VERBS.find((known) => known === given);
  if (verb === undefined) throw new Error(`"${given}" is no command of admin: these are ${all}.`);
  return verb;
}

function refuseMore(verb: string, more: readonly string[]): void {
  if (more.length === 0) return;
  const quotes = verb === 'create-key' ? ' A name with spaces needs quotes.' : '';
  throw new Error(`admin ${verb} takes no further words: "${more.join(' ')}".${quotes}`);
}
