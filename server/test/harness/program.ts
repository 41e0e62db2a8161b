import { join } from 'node:path';
import { tmpdir } from 'node:os';

/** The folder of the bundle that a run of long proofs has made; without it, processes start from the sources. */
const BUNDLE = process.env['POSTHORN_TEST_BUNDLE'];

/** The file that a test gives to node to start Posthorn. */
export const PROGRAM =
  BUNDLE === undefined ? join(import.meta.dirname, '../../src/main/posthorn.ts') : join(BUNDLE, 'posthorn.mjs');

/** For `--import`: kills, freezes or fails that process at a point of its code. */
export const FAULT_PLAN =
  BUNDLE === undefined ? join(import.meta.dirname, 'fault-plan.ts') : join(BUNDLE, 'fault-plan.mjs');

/** The code that an earlier start compiled: without it, a start from the sources costs half as much again. */
export const COMPILE_CACHE = BUNDLE === undefined ? ofSources() : join(BUNDLE, 'compiled');

/** That of `npm test`, which stays when the run has ended. */
function ofSources(): string {
  return process.env['NODE_COMPILE_CACHE'] ?? join(tmpdir(), `posthorn-compile-cache-${process.getuid?.() ?? 'user'}`);
}
