/**
 * Knot DNS (Debian package `knot`) on loopback: an authoritative server that none of us wrote. It serves the zone
 * `test`, whose records a test changes while it runs. It runs from a temporary folder and touches nothing of an
 * installed one.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { needsTool, SYSTEM_TOOLS } from '../system-tools.ts';
import { freePort } from './posthorn-process.ts';

export interface Knot {
  address: string;
  port: number;
  /** As POSTHORN_DNS_SERVERS has it. */
  server: string;
  /** Puts these records in the place of all others with this name and type; none removes them. */
  set(name: string, type: 'TXT' | 'MX' | 'CNAME' | 'NS' | 'A', values: readonly string[]): Promise<void>;
  /** The same for a text of any length, as strings of 255 bytes. */
  setText(name: string, texts: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

export const isKnotThere = (): boolean => SYSTEM_TOOLS.knot.isThere();
export const needsKnot = (t: TestContext): boolean => needsTool(t, 'knot');

const run = promisify(execFile);

export async function startKnot(
  options: { zone?: string; address?: string; port?: number; records?: string; head?: string } = {},
): Promise<Knot> {
  const { zone = 'test', address = '127.0.0.1' } = options;
  const folder = await mkdtemp(path.join(tmpdir(), 'knot-'));
  const port = options.port ?? (await freePort());
  const at = (name: string): string => path.join(folder, name);
  await Promise.all(['run', 'db', 'zones'].map((name) => mkdir(at(name))));
  await writeFile(at('knot.conf'), configuration(folder, zone, `${address}@${port}`));
  await writeFile(
    at(`zones/${zone}.zone`),
    `${options.head ?? `$ORIGIN ${zone}.\n$TTL 300\n@ SOA ns1 admin 1 3600 600 86400 60\n@ NS ns1\nns1 A ${address}\n`}${options.records ?? ''}\n`,
  );
  const child = spawn('/usr/sbin/knotd', ['-c', at('knot.conf')], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (part) => (said += String(part)));
  const control = (...words: string[]) => run('/usr/sbin/knotc', ['-s', at('control.sock'), ...words]);
  for (let isReady = false; !isReady; ) {
    if (child.exitCode !== null) throw new Error(`knotd did not start: ${said}`);
    isReady = await control('zone-read', zone, '@', 'SOA').then(
      () => true,
      () => false,
    );
  }
  const set: Knot['set'] = async (name, type, values) => {
    await control('zone-begin', zone);
    await control('zone-unset', zone, `${name}.`, type).catch(() => undefined); // there may be none
    for (const value of values) await control('zone-set', zone, `${name}.`, '300', type, value);
    await control('zone-commit', zone).catch((error: unknown) => {
      // Nothing has changed.
      if (!/no(thing| changes)|already/i.test(String(error))) throw error;
    });
  };
  return {
    address,
    port,
    server: `${address}:${port}`,
    set,
    setText: (name, texts) =>
      set(
        name,
        'TXT',
        texts.map((text) =>
          (text.match(/.{1,255}/gs) ?? ['']).map((part) => `"${part.replace(/(["\\;])/g, '\\$1')}"`).join(' '),
        ),
      ),
    async stop() {
      const gone = once(child, 'exit');
      child.kill();
      if (child.exitCode === null) await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const configuration = (folder: string, zone: string, listen: string): string => `
server:
    rundir: "${folder}/run"
    listen: ${listen}
    udp-workers: 1
    tcp-workers: 1
    background-workers: 1
control:
    listen: "${folder}/control.sock"
database:
    storage: "${folder}/db"
log:
  - target: stderr
    any: error
template:
  - id: default
    storage: "${folder}/zones"
    zonefile-sync: -1
    zonefile-load: whole
    journal-content: none
    semantic-checks: off
zone:
  - domain: ${zone}
  - domain: broken
`;
