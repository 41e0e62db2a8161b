import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Tree } from './check.ts';

const SERVER = dirname(import.meta.dirname);
const TOOLING = [
  'package.json',
  'tsconfig.json',
  'biome.json',
  '.oxlintrc.json',
  '.dependency-cruiser.mjs',
  'knip.json',
  'checks/lint-plugin.ts',
  'src/main/feature-order.ts',
];

export interface PlantedTree extends Tree, Disposable {}

/**
 * A little repository in the temporary folder with our rules and the given files (`server/src/…` → text), for seeing a
 * rule fire. Removed when the test's scope ends (`using`).
 */
export function plantTree(files: Record<string, string>): PlantedTree {
  const root = mkdtempSync(join(tmpdir(), 'posthorn-planted-'));
  const server = join(root, 'server');
  for (const file of TOOLING) cpSync(join(SERVER, file), join(server, file));
  symlinkSync(join(SERVER, 'node_modules'), join(server, 'node_modules'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return { root, server, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}
