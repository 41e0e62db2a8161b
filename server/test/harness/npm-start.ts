import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { SETTINGS } from '#platform/config/settings-table.ts';
import { fetchFrom, freePort, type PosthornProcess } from './posthorn-process.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** The last line of a first start that names a secret; a start with everything to install is given the time. */
const READY = 'Try it:';

export interface NpmStart extends Pick<PosthornProcess, 'url' | 'key' | 'output' | 'ended' | 'fetch'> {
  /** Ctrl-C in a terminal; resolves with the exit code or signal of npm. */
  interrupt(): Promise<number | NodeJS.Signals>;
  /** kill -9 of npm and of everything that it started, unless npm has ended. */
  kill(): void;
}

/**
 * `npm start` in the root of the project with nothing configured: what a new person types. Resolves when it has printed
 * everything; the printed key is `key`. The data goes into `dataDir`.
 */
export async function npmStart(dataDir: string): Promise<NpmStart> {
  const port = await freePort();
  // In a process group of its own, as in a terminal: Ctrl-C reaches npm and everything it started.
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    env: {
      // An empty setting counts as unset, and overrides a developer's .env file.
      ...Object.fromEntries(Object.values(SETTINGS).map((setting) => [setting.env, ''])),
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: String(port),
      POSTHORN_DATA_DIR: dataDir,
    },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const group = -(child.pid ?? 0);
  let printed = '';
  const serves = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      printed += part;
      if (printed.includes(READY)) serves.resolve();
    });
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal ?? -1));
  });
  // A look at every turn of the event loop would take a processor from the start that is waited for.
  await Promise.race([serves.promise, ended]);
  if (child.exitCode !== null) throw new Error(`npm start ended before it served:\n${printed}`);
  const url = `http://localhost:${port}`;
  const key = /API key +(\S+)/.exec(printed)?.[1] ?? '';
  return {
    url,
    key,
    ended,
    output: () => printed,
    fetch: fetchFrom(url, key),
    interrupt() {
      process.kill(group, 'SIGINT');
      return ended;
    },
    kill() {
      if (child.exitCode === null && child.signalCode === null) process.kill(group, 'SIGKILL');
    },
  };
}
