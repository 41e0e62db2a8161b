import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readArguments, ROLES, USAGE } from './arguments.ts';

for (const [words, command] of [
  [[], { name: 'start', roles: ROLES }],
  [['--role', 'api', '--role', 'worker', '--role', 'api'], { name: 'start', roles: ['api', 'worker'] }],
  [['--help'], { name: 'help' }],
  [['--version'], { name: 'version' }],
  [['-v'], { name: 'version' }],
  [['doctor'], { name: 'doctor' }],
  [['admin', 'create-key'], { name: 'create-key', keyName: 'Made on the command line' }],
  [['admin', 'create-key', 'CI'], { name: 'create-key', keyName: 'CI' }],
  [['admin', 'reset-password', 'ada@example.com'], { name: 'reset-password', email: 'ada@example.com' }],
  [['admin', 'resume-sending'], { name: 'resume-sending' }],
  [['admin', 'quota', 'acme', '0'], { name: 'quota', workspace: 'acme', emailsPerMonth: 0 }],
  [['admin', 'quota', 'acme', 'none'], { name: 'quota', workspace: 'acme', emailsPerMonth: null }],
  [['admin', 'block', 'acme'], { name: 'block', workspace: 'acme' }],
] as const) {
  test(`understood: ${words.join(' ') || '(nothing)'}`, () => assert.deepEqual(readArguments(words), command));
}

for (const [words, message] of [
  [['--role', 'smpt'], 'There is no role "smpt": the roles are api, worker, smtp.'],
  [['start'], '"start" is no command.'],
  [['doctor', 'now'], '"doctor now" is no command.'],
  [
    ['admin'],
    'admin needs one of create-key, reset-password, disable-2fa, pause, block, activate, quota, resume-sending.',
  ],
  [
    ['admin', 'create_key'],
    '"create_key" is no command of admin: these are create-key, reset-password, disable-2fa, pause, block, activate, quota, resume-sending.',
  ],
  [['admin', 'reset-password'], 'admin reset-password needs the email address of the person.'],
  [['admin', 'pause'], 'admin pause needs the id or the slug of a workspace.'],
  [['admin', 'quota', 'acme'], 'admin quota needs the id or the slug of a workspace, and then a number or none.'],
  ...['-1', '1.5', '2000000001', 'all'].map(
    (given) =>
      [
        ['admin', 'quota', 'acme', ...(given === '-1' ? ['--', given] : [given])],
        `"${given}" is no quota: it is a whole number of recipients from 0 to 2000000000, or none.`,
      ] as const,
  ),
  [['admin', 'resume-sending', 'now'], 'admin resume-sending takes no further words: "now".'],
  [
    ['admin', 'create-key', 'CI', 'more'],
    'admin create-key takes no further words: "more". A name with spaces needs quotes.',
  ],
] as const) {
  test(`refused: ${words.join(' ')}`, () => assert.throws(() => readArguments(words), { message }));
}

test('the help names every command', () => {
  for (const command of [
    '--role',
    'doctor',
    'create-key',
    'reset-password',
    'pause|block|activate',
    'quota WORKSPACE N|none',
    '--version',
    '--help',
  ])
    assert.ok(USAGE.includes(command), command);
});
