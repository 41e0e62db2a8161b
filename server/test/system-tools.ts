/**
 * Programs and rights of the machine that some tests need. On a developer's machine such a test is skipped with a
 * sentence that says what is missing; under CI=true it fails, and .ci/run installs the packages listed here.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { findLibfaketime } from './harness/stepped-clock.ts';

/** Messages as files: msg_01.txt and so on. */
export const PYTHON_MAILS = '/usr/lib/python3.11/test/test_email/data';

/** The programs of a PostgreSQL server, which are not on the PATH. */
export const POSTGRES_15 = '/usr/lib/postgresql/15/bin';

interface SystemTool {
  /** Undefined: nothing to install. .ci/run reads the lines with a name in quotes. */
  debianPackage: string | undefined;
  neededBy: string;
  isThere(): boolean;
}

const runs =
  (program: string, ...args: string[]) =>
  () => {
    try {
      execFileSync(program, args, {
        stdio: 'ignore',
        env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` },
      });
      return true;
    } catch {
      return false;
    }
  };

export const SYSTEM_TOOLS = {
  postfix: {
    debianPackage: 'postfix',
    neededBy: 'tests of the SMTP provider against a server that none of us wrote, smtp-sink among them',
    isThere: runs('postconf', '-d', 'mail_version'),
  },
  dkim: {
    debianPackage: 'python3-dkim',
    neededBy: 'tests that let an independent verifier check our DKIM signatures',
    isThere: runs('/usr/bin/python3', '-c', 'import dkim'),
  },
  python: {
    debianPackage: 'python3',
    neededBy: 'tests that run the Python code of the documentation',
    isThere: runs('/usr/bin/python3', '--version'),
  },
  'python-mails': {
    debianPackage: 'libpython3.11-testsuite',
    neededBy: 'tests that receive the odd messages with which Python tries its own reader',
    isThere: () => existsSync(PYTHON_MAILS),
  },
  psql: {
    debianPackage: 'postgresql-client',
    neededBy: 'tests that run the backup script of the documentation',
    isThere: runs('psql', '--version'),
  },
  'postgresql-15': {
    debianPackage: 'postgresql-15',
    neededBy: 'tests that run Posthorn on the oldest PostgreSQL that it takes',
    isThere: runs(`${POSTGRES_15}/postgres`, '--version'),
  },
  pgbouncer: {
    debianPackage: 'pgbouncer',
    neededBy: 'tests that put a real pooler in front of PostgreSQL',
    isThere: runs('/usr/sbin/pgbouncer', '--version'),
  },
  chromium: {
    debianPackage: 'chromium-headless-shell',
    neededBy: 'tests that look at public pages in a real browser',
    // The one that the browser harness starts, wherever else another may be.
    isThere: runs('/usr/bin/chromium-headless-shell', '--version'),
  },
  spamassassin: {
    debianPackage: 'spamassassin',
    neededBy: 'tests that let a filter for spam judge the emails of newsletters',
    isThere: runs('spamassassin', '--version'),
  },
  knot: {
    debianPackage: 'knot',
    neededBy: 'tests that check the records of domains at a DNS server that is not ours',
    isThere: runs('knotd', '--version'),
  },
  openssl: {
    debianPackage: 'openssl',
    neededBy: 'tests that check signatures with a program that is not ours',
    isThere: runs('openssl', 'version'),
  },
  nginx: {
    debianPackage: 'nginx',
    neededBy: 'tests that put nginx in front of Posthorn with the file of the documentation',
    isThere: runs('nginx', '-v'),
  },
  caddy: {
    debianPackage: 'caddy',
    neededBy: 'tests that put Caddy in front of Posthorn with the file of the documentation',
    isThere: runs('caddy', 'version'),
  },
  systemd: {
    debianPackage: 'systemd',
    neededBy: 'the test in which systemd judges the unit of the documentation',
    isThere: runs('systemd-analyze', '--version'),
  },
  faketime: {
    debianPackage: 'faketime',
    neededBy: 'tests that set the clock of a running process forward and back',
    isThere: () => findLibfaketime() !== undefined,
  },
  swaks: {
    debianPackage: 'swaks',
    neededBy: 'tests that hand mail to the relay with the usual test client',
    isThere: runs('swaks', '--version'),
  },
  msmtp: {
    debianPackage: 'msmtp',
    neededBy: 'tests that hand mail to the relay as sendmail does',
    isThere: runs('msmtp', '--version'),
  },
  's-nail': {
    debianPackage: 's-nail',
    neededBy: 'tests that hand mail to the relay with a mail program',
    isThere: runs('s-nail', '--version'),
  },
  curl: {
    debianPackage: 'curl',
    neededBy: 'tests that hand mail to the relay as the documentation does',
    isThere: runs('curl', '--version'),
  },
  sasl: {
    debianPackage: 'libsasl2-modules',
    neededBy: 'tests in which Postfix signs in to the relay',
    isThere: runs('/bin/sh', '-c', 'ls /usr/lib/*/sasl2/libplain.so'),
  },
  phpmailer: {
    debianPackage: 'libphp-phpmailer',
    neededBy: 'tests that hand mail to the relay as WordPress does',
    isThere: runs('php', '-r', 'require "/usr/share/php/libphp-phpmailer/autoload.php";'),
  },
  php: {
    debianPackage: 'php-cli',
    neededBy: 'tests that hand mail to the relay as WordPress does',
    isThere: runs('php', '--version'),
  },
  'symfony-mailer': {
    debianPackage: 'php-symfony-mailer',
    neededBy: 'tests that hand mail to the relay as Symfony and Laravel do',
    isThere: runs('php', '-r', 'require "/usr/share/php/Symfony/Component/Mailer/autoload.php";'),
  },
  django: {
    debianPackage: 'python3-django',
    neededBy: 'tests that hand mail to the relay as Django does',
    isThere: runs('/usr/bin/python3', '-c', 'import django'),
  },
  'ruby-mail': {
    debianPackage: 'ruby-mail',
    neededBy: 'tests that hand mail to the relay as Rails does',
    isThere: runs('ruby', '-e', 'require "mail"'),
  },
  root: {
    debianPackage: undefined,
    neededBy: 'tests that start PostgreSQL as root and as other users',
    isThere: () => process.getuid?.() === 0,
  },
} as const satisfies Record<string, SystemTool>;

export type SystemToolName = keyof typeof SYSTEM_TOOLS;

/** False, with the test skipped, when the tool is missing; a failure under CI=true. Return from the test on false. */
export function needsTool(t: TestContext, name: SystemToolName): boolean {
  const tool: SystemTool = SYSTEM_TOOLS[name];
  if (tool.isThere()) return true;
  const remedy = tool.debianPackage ? `install the Debian package ${tool.debianPackage}` : 'run the tests as root';
  return skipTest(t, `${name} is missing: ${remedy} to run this test`);
}

/** Skips a test for a reason of this machine; under CI=true that is a failure, so that no test is silently left out. */
export function skipTest(t: TestContext, reason: string): false {
  if (process.env['CI'] === 'true') throw new Error(`Nothing may be skipped here: ${reason}.`);
  t.skip(reason);
  return false;
}
