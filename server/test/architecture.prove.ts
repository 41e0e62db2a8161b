/**
 * The laws about the code itself, and the proof that each is watched: a violation of every rule is planted in a little
 * tree and must be reported. Our own rules have the same proof beside them in checks/.
 */
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { before, describe, test } from 'node:test';
import { EXTERNAL_TOOLS, runTool } from '../checks/external-tools.ts';
import { cruise } from '../checks/import-walls.ts';
import { plantTree } from '../checks/planted-tree.ts';
import { FEATURE_ORDER } from '../src/main/feature-order.ts';

const SERVER = dirname(import.meta.dirname);

/** How far the tree has grown; far fewer means that the rules no longer see it. */
const MODULES_MIN = 100;

async function judge(name: string, server: string): Promise<{ ok: boolean; output: string }> {
  const tool = EXTERNAL_TOOLS.find((candidate) => candidate.name === name);
  assert.ok(tool, `no tool is called ${name}`);
  return runTool(tool, server);
}

describe('walls', () => {
  const use = (from: string): string => `import { x } from '${from}';\nexport const y = x;\n`;
  const x = 'export const x = 1;\n';
  const feature = (name: string, file = 'index.ts'): string => `server/src/features/${name}/${file}`;

  test('the rules read the whole tree', async () => {
    const { ownModules } = await cruise(SERVER);
    assert.ok(ownModules > MODULES_MIN, `only ${ownModules} modules of src were read`);
  });

  test('a tree that keeps every rule has no violation', async () => {
    using tree = plantTree({
      'server/src/main/api.ts': `${use('#features/emails')}export * as p from '#providers/smtp/smtp.ts';\n`,
      [feature('emails')]: "export { y as x } from './send-email.ts';\n",
      [feature('emails', 'send-email.ts')]: `${use('#features/outbox')}export * as m from '#mail/dkim.ts';\n`,
      [feature('emails', 'send-email.test.ts')]: use('../../../test/harness/app.ts'),
      [feature('outbox')]: `${x}export type { X } from '#providers/email-provider.ts';\n`,
      'server/src/mail/dkim.ts': use('#platform/clock.ts'),
      'server/src/providers/email-provider.ts': 'export type X = 1;\n',
      'server/src/providers/smtp/smtp.ts': `${use('#mail/dkim.ts').replaceAll('x', 'y as x')}export type { X } from '../email-provider.ts';\n`,
      'server/src/platform/clock.ts': x,
      'server/src/platform/safe-fetch/safe-fetch.ts': "import { Pool } from 'undici';\nexport const x = Pool;\n",
      'server/src/platform/db/database.ts': "import pg from 'pg';\nexport const x = pg;\n",
      'server/test/harness/app.ts': `${use('../../src/main/api.ts')}export { x } from '../../src/features/outbox/index.ts';\n`,
    });
    const { problems, ownModules } = await cruise(tree.server);
    assert.deepEqual(problems, []);
    assert.ok(ownModules >= 10, `only ${ownModules} modules were read`);
  });

  test('a tree in which nothing can be read does not pass', async () => {
    using tree = plantTree({ 'server/src/main/feature-order.ts': 'export const FEATURE_ORDER = [];' });
    assert.equal((await cruise(tree.server)).ownModules, 1);
    using empty = plantTree({
      'server/.dependency-cruiser.mjs': 'export default { options: { includeOnly: "^nothing" } };',
    });
    assert.match((await cruise(empty.server)).problems.join(), /the rules judged nothing/);
  });

  describe('a planted violation is reported', () => {
    const plants: Record<string, Record<string, string>> = {
      'no-cycles': { 'server/src/mail/a.ts': use('./b.ts'), 'server/src/mail/b.ts': use('./a.ts') },
      'nothing-unresolved': { 'server/src/mail/lost.ts': use('#mail/nowhere.ts') },
      'platform-knows-nobody': { 'server/src/platform/up.ts': use('#mail/x.ts'), 'server/src/mail/x.ts': x },
      'mail-knows-only-platform': { 'server/src/mail/up.ts': use('#features/emails'), [feature('emails')]: x },
      'providers-know-no-feature': {
        'server/src/providers/smtp/up.ts': use('#features/emails'),
        [feature('emails')]: x,
      },
      'features-do-not-know-main': {
        [feature('emails', 'wiring.ts')]: use('../../main/settings.ts'),
        'server/src/main/settings.ts': x,
      },
      'features-only-through-index': {
        [feature('emails', 'peek.ts')]: "import type { Row } from '../outbox/queries.ts';\nexport type Mine = Row;\n",
        [feature('outbox', 'queries.ts')]: 'export type Row = 1;\n',
      },
      'faces-only-in-main': {
        'server/src/main/peek.ts': use('../features/outbox/queries.ts'),
        [feature('outbox', 'queries.ts')]: x,
      },
      'nobody-imports-their-own-face': {
        [feature('emails', 'round.ts')]: use('#features/emails'),
        [feature('emails')]: x,
      },
      'walls-are-crossed-with-a-hash': {
        [feature('emails', 'time.ts')]: use('../../platform/clock.ts'),
        'server/src/platform/clock.ts': x,
      },
      'concrete-providers-are-wired-in-main': {
        [feature('outbox', 'hand-off.ts')]: use('#providers/smtp/smtp.ts'),
        'server/src/providers/smtp/smtp.ts': x,
      },
      'nothing-sends-mail-but-the-outbox': {
        [feature('emails', 'shortcut.ts')]:
          "import type { P } from '#providers/email-provider.ts';\nexport type Q = P;\n",
        'server/src/providers/email-provider.ts': 'export type P = 1;\n',
      },
      'no-verb-knows-http': {
        [feature('emails', 'answer-http.ts')]:
          "import type { FastifyReply } from 'fastify';\nexport type R = FastifyReply;\n",
      },
      'only-routes-answer': {
        [feature('emails', 'list-all.ts')]: use('#platform/http/route.ts'),
        'server/src/platform/http/route.ts': x,
      },
      'product-needs-no-test-code': {
        'server/src/mail/real.ts': use('../../test/harness/app.ts'),
        'server/test/harness/app.ts': x,
        'server/src/mail/leaning.ts': use('./test-kit.ts'),
        'server/src/mail/test-kit.ts': x,
      },
      'product-needs-no-dev-dependency': {
        'server/src/mail/real-2.ts': "import autocannon from 'autocannon';\nexport const a = autocannon;\n",
      },
      'one-way-to-other-peoples-servers': {
        [feature('webhooks', 'call.ts')]: "import { request } from 'node:https';\nexport const r = request;\n",
        [feature('webhooks', 'call-later.ts')]: "export const later = async () => await import('undici');\n",
        'server/src/platform/http/call-back.ts': "import http from 'http';\nexport const get = http.get;\n",
        'server/src/main/read-account.ts':
          "import { SESv2Client } from '@aws-sdk/client-sesv2';\nexport const c = SESv2Client;\n",
        // Names of types reach nobody.
        'server/src/platform/http/answer.ts':
          "import type { ServerResponse } from 'node:http';\nexport type A = ServerResponse;\n",
      },
      'one-template-engine': {
        [feature('emails', 'fill-in.ts')]: "export const engine = async () => await import('liquidjs');\n",
      },
      'one-way-to-the-database': { [feature('emails', 'raw.ts')]: "import pg from 'pg';\nexport const p = pg;\n" },
    };
    for (const [index, below] of FEATURE_ORDER.entries()) {
      const above = FEATURE_ORDER[index - 1];
      if (above !== undefined) {
        plants[`order-${below}`] = { [feature(below, 'up.ts')]: use(`#features/${above}`), [feature(above)]: x };
      }
    }

    test('each rule has its plant here', async () => {
      const config: { default: { forbidden: { name: string }[] } } = await import(
        join(SERVER, '.dependency-cruiser.mjs')
      );
      const rules = config.default.forbidden.map((rule) => rule.name);
      assert.deepEqual(rules.toSorted(), Object.keys(plants).toSorted());
    });

    let problems: string[];
    before(async () => {
      using tree = plantTree(Object.assign({}, ...Object.values(plants)));
      problems = (await cruise(tree.server)).problems;
    });
    test('a test kit beside the code is test code', () => {
      assert.ok(problems.includes('server/src/mail/leaning.ts → src/mail/test-kit.ts: product-needs-no-test-code'));
    });
    test('every way to other people’s servers is closed, also one that is imported later', () => {
      const found = problems.filter((problem) => problem.endsWith(': one-way-to-other-peoples-servers'));
      assert.deepEqual(found.map((problem) => problem.split(' ', 1)[0]).toSorted(), [
        'server/src/features/webhooks/call-later.ts',
        'server/src/features/webhooks/call.ts',
        'server/src/main/read-account.ts',
        'server/src/platform/http/call-back.ts',
      ]);
    });
    for (const [rule, files] of Object.entries(plants)) {
      test(rule, () => {
        const planted = Object.keys(files)[0];
        assert.ok(
          problems.some((problem) => problem.startsWith(`${planted} `) && problem.endsWith(`: ${rule}`)),
          `nothing was reported for ${planted}:\n${problems.join('\n')}`,
        );
      });
    }
  });
});

describe('lint', () => {
  /** Rule → a file that breaks it, in a place where it holds. */
  const plants: [rule: string, file: string, code: string][] = [
    ['typescript(no-floating-promises)', 'src/mail/float.ts', 'async function f() {}\nf();\nexport {};'],
    ['typescript(await-thenable)', 'src/mail/await.ts', 'export const a = await 1;'],
    ['typescript(no-explicit-any)', 'src/mail/any.ts', 'export const a: any = 1;'],
    ['import(no-cycle)', 'src/mail/a.ts', "import { b } from './b.ts';\nexport const a = b;"],
    ['import(no-cycle)', 'src/mail/b.ts', "import { a } from './a.ts';\nexport const b = a;"],
    ['import(no-default-export)', 'src/mail/default.ts', 'export default 1;'],
    ['unicorn(prefer-node-protocol)', 'src/mail/node.ts', "export * from 'fs';\nimport 'path';"],
    ['eslint(no-console)', 'src/mail/console.ts', "console.log('x');"],
    ['eslint(no-restricted-globals)', 'src/mail/fetch.ts', "await fetch('http://localhost');"],
    ['eslint(no-restricted-globals)', 'src/mail/socket.ts', "export const s = new WebSocket('ws://localhost');"],
    ['eslint(no-restricted-globals)', 'src/mail/stream.ts', "export const s = new EventSource('http://localhost');"],
    ['eslint(no-restricted-properties)', 'src/mail/global-fetch.ts', "await globalThis.fetch('http://localhost');"],
    ['eslint(no-restricted-imports)', 'src/mail/undici.ts', "import { request } from 'undici';\nexport { request };"],
    ['eslint(no-restricted-properties)', 'src/features/emails/env.ts', 'export const a = process.env.HOME;'],
    [
      'eslint(no-restricted-properties)',
      'src/platform/http/env.ts',
      'const { env } = process;\nexport const a = env.HOME;',
    ],
    ['eslint(no-restricted-imports)', 'src/mail/process.ts', "import { env } from 'node:process';\nexport { env };"],
    ['eslint(no-restricted-properties)', 'src/mail/now.ts', 'export const a = Date.now();'],
    ['eslint(no-restricted-properties)', 'src/platform/config/now.ts', 'export const a = Date.now();'],
    ['house(no-ambient-time)', 'src/mail/date.ts', 'export const a = new Date();'],
    ['house(no-ambient-time)', 'src/mail/monotonic.ts', 'export const a = performance.now();'],
    ['house(no-ambient-time)', 'src/mail/timer.ts', 'setTimeout(() => undefined, 5);'],
    ['house(no-ambient-time)', 'src/mail/global-timer.ts', 'globalThis.setTimeout(() => undefined, 5);'],
    ['house(no-ambient-time)', 'src/main/interval.ts', 'setInterval(() => undefined, 5);'],
    ['house(no-ambient-time)', 'src/mail/timers.ts', "import { setTimeout as t } from 'node:timers';\nt(() => 1, 5);"],
    [
      'house(no-ambient-time)',
      'src/mail/pause.ts',
      "import * as t from 'node:timers/promises';\nawait t.setTimeout(5);",
    ],
    [
      'house(no-ambient-time)',
      'src/features/emails/own-clock.ts',
      "import { systemClock } from '#platform/clock.ts';\nexport const now = systemClock.now();",
    ],
    ['house(no-ambient-time)', 'src/platform/config/date.ts', 'export const a = new Date();'],
    ['eslint(no-restricted-imports)', 'src/mail/wait.ts', "export { setTimeout } from 'node:timers/promises';"],
    [
      'eslint(no-restricted-imports)',
      'src/mail/wait.test.ts',
      "import { setTimeout } from 'node:timers/promises';\nawait setTimeout(1);",
    ],
    ['house(no-sleep)', 'src/mail/sleep.test.ts', 'await new Promise((resolve) => setTimeout(resolve, 5));'],
    [
      'house(no-sleep)',
      'test/e2e/sleep.e2e.ts',
      'await new Promise<void>((done) => {\n  setTimeout(() => done(), 5);\n});',
    ],
    ['house(explained-assertions)', 'src/mail/as.ts', 'export const a = JSON.parse("1") as number;'],
    ['house(explained-assertions)', 'src/mail/not-null.ts', 'export const a = [1][0]!;'],
  ];
  /** The code that the rules must let pass, where it belongs. */
  const allowed: [file: string, code: string][] = [
    [
      'src/platform/clock.ts',
      'export const now = (): Date => new Date();\nexport const ms = (): number => Date.now();',
    ],
    ['src/platform/config/environment.ts', 'export const env = process.env;'],
    [
      'src/platform/moments.ts',
      'export const t = setTimeout(() => undefined, 5);\nexport const ms = (): number => performance.now();',
    ],
    [
      'src/main/start.ts',
      "import { systemClock } from '#platform/clock.ts';\nexport const clock = systemClock;\nsetImmediate(() => undefined);",
    ],
    ['src/mail/breath.ts', "import { setImmediate } from 'node:timers/promises';\nawait setImmediate();"],
    [
      'src/platform/safe-fetch/request.ts',
      "export const get = async (): Promise<Response> => await fetch('http://x');",
    ],
    ['src/mail/parse.ts', 'export const day = new Date(0);\nexport const a = JSON.parse("1") as number; // it is 1'],
    ['src/mail/known.ts', '// The array has one element.\nexport const a = [1][0]!;\nexport const b = [1] as const;'],
    [
      'src/mail/time.test.ts',
      "import { test } from 'node:test';\ntest('x', async () => {\n  const late = new Promise((_, reject) => setTimeout(() => reject(new Error('late')), Date.now()));\n  await late;\n});",
    ],
    ['src/mail/any.test.ts', 'export const body: any = JSON.parse("{}");'],
    ['scripts/say.ts', 'console.log(process.env.HOME, new Date());'],
  ];

  let output: string;
  before(async () => {
    const files = [...plants.map(([, file, code]) => [file, code]), ...allowed];
    using tree = plantTree(Object.fromEntries(files.map(([file, code]) => [`server/${file}`, code ?? ''])));
    ({ output } = await judge('lint', tree.server));
  });

  for (const [rule, file] of plants) {
    test(`${rule} in ${file}`, () => {
      const lines = output.split('\n').filter((line) => line.startsWith(`${file}:`));
      assert.ok(
        lines.some((line) => line.includes(`/${rule}]`)),
        `it was not reported: ${lines.join('\n') || output}`,
      );
    });
  }
  for (const [file] of allowed) {
    test(`nothing against ${file}`, () => {
      assert.deepEqual(
        output.split('\n').filter((line) => line.startsWith(`${file}:`)),
        [],
      );
    });
  }
});

describe('the other tools see what they are for', () => {
  test('format', async () => {
    using tree = plantTree({
      'server/src/mail/wide.ts': 'export const a = "double";\n',
      'server/migrations/1.json': '{ }',
    });
    const { ok, output } = await judge('format', tree.server);
    assert.equal(ok, false);
    assert.match(output, /src\/mail\/wide\.ts/);
    assert.doesNotMatch(output, /migrations/);
    using clean = plantTree({ 'server/src/mail/narrow.ts': "export const a = 'single';\n" });
    assert.equal((await judge('format', clean.server)).ok, true);
  });

  const faults: [code: string, file: string, text: string][] = [
    ['TS2322', 'wrong-type.ts', "export const a: number = 'x';"],
    ['TS2322', 'unchecked-index.ts', 'const list: number[] = [];\nexport const a: number = list[0];'],
    ['TS2375', 'exact-optional.ts', 'export const a: { b?: number } = { b: undefined };'],
    ['TS1294', 'enum.ts', 'export enum Colour { Red }'],
    ['TS1294', 'parameter-property.ts', 'export class A {\n  constructor(readonly b: number) {}\n}'],
    ['TS1484', 'type-import.ts', "import { AddressInfo } from 'node:net';\nexport type A = AddressInfo;"],
    ['TS2835', 'no-extension.ts', "export * from './enum';"],
    ['TS2307', 'past-the-face.ts', "export * from '#features/emails/queries.ts';"],
    ['TS6133', 'unused-local.ts', 'const a = 1;\nexport {};'],
  ];
  test('types', async () => {
    using tree = plantTree({
      ...Object.fromEntries(faults.map(([, file, text]) => [`server/src/mail/${file}`, text])),
      'server/src/features/emails/queries.ts': 'export const x = 1;',
    });
    const { ok, output } = await judge('types', tree.server);
    assert.equal(ok, false);
    for (const [code, file] of faults) {
      assert.ok(
        output.split('\n').some((line) => line.startsWith(`src/mail/${file}(`) && line.includes(code)),
        `${file} should give ${code}:\n${output}`,
      );
    }
  });

  test('unused files, exports and dependencies', async () => {
    using tree = plantTree({
      'server/src/main/posthorn.ts':
        "import { used } from '#mail/dkim.ts';\nimport { x } from './start.ts';\nimport 'left-pad';\nprocess.exitCode = used + x;\n",
      'server/src/mail/dkim.ts': 'export const used = 1;\nexport const forgotten = 2;\nexport type Forgotten = 3;\n',
      'server/src/mail/dead.ts': 'export const a = 1;\n',
      'server/src/main/start.ts': "import { sold } from '#features/emails';\nexport const x = sold;\n",
      'server/src/features/emails/index.ts': "export { sold, unsold, type Sold } from './sold.ts';\n",
      'server/src/features/emails/sold.ts':
        'export type Sold = number;\nexport const sold: Sold = 1;\nexport const unsold: Sold = 2;\n',
    });
    const { ok, output } = await judge('unused', tree.server);
    assert.equal(ok, false);
    assert.match(output, /src\/mail\/dead\.ts/);
    assert.match(output, /forgotten .*src\/mail\/dkim\.ts/);
    assert.match(output, /Forgotten .*src\/mail\/dkim\.ts/);
    // A face may show the types of its signatures before anybody names them; a value that nobody takes is unsold.
    assert.match(output, /unsold .*src\/features\/emails\/index\.ts/);
    assert.doesNotMatch(output, /Sold .*index\.ts/);
    assert.match(output, /left-pad/);
    assert.match(output, /nodemailer .*package\.json/);
    assert.doesNotMatch(output, /src\/main\/posthorn\.ts\s*$/m);
  });
});
