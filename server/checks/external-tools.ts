import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface Tool {
  name: string;
  /** Judges this package, with the tools of the server; the server's when left out. */
  of?: 'dashboard';
  command: string[];
}

/** The tools of others that judge the tree, as they are called in the server's folder. */
export const EXTERNAL_TOOLS: readonly Tool[] = [
  { name: 'format', command: ['biome', 'format', '--colors=off', '--reporter=summary', '.'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--format=unix', '--deny-warnings'] },
  // The results of an earlier run are kept: 3 s of a core after a change of one file, 19 s without.
  {
    name: 'types',
    command: ['tsc', '-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', '../.cache/types.tsbuildinfo'],
  },
  {
    name: 'dashboard-format',
    of: 'dashboard',
    command: ['biome', 'format', '--colors=off', '--reporter=summary', '.'],
  },
  {
    name: 'dashboard-lint',
    of: 'dashboard',
    command: ['oxlint', '--type-aware', '--format=unix', '--deny-warnings'],
  },
  {
    name: 'dashboard-types',
    of: 'dashboard',
    command: ['tsc', '-p', '.', '--incremental', '--tsBuildInfoFile', '../.cache/dashboard-types.tsbuildinfo'],
  },
  { name: 'unused', command: ['knip', '--no-progress', '--no-config-hints'] },
  { name: 'dashboard-unused', of: 'dashboard', command: ['knip', '--no-progress', '--no-config-hints'] },
];

/** The output of the tool, and whether it succeeded. */
export function runTool(
  { command }: Tool,
  folder: string,
  bin = join(folder, 'node_modules/.bin'),
): Promise<{ ok: boolean; output: string }> {
  const [program = '', ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(join(bin, program), args, {
      cwd: folder,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    });
    let output = '';
    const collect = (chunk: Buffer): void => void (output += chunk.toString());
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', (error) => resolve({ ok: false, output: `${program} did not start: ${error.message}` }));
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}
