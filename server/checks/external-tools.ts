import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface Tool {
  name: string;
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
  { name: 'unused', command: ['knip', '--no-progress', '--no-config-hints'] },
];

/** The output of the tool, and whether it succeeded. */
export function runTool({ command }: Tool, server: string): Promise<{ ok: boolean; output: string }> {
  const [program = '', ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(join(server, 'node_modules/.bin', program), args, {
      cwd: server,
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
