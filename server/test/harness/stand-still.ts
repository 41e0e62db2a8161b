/**
 * For so many milliseconds nothing of this process runs: no timer, no socket, as on a machine that is busy elsewhere.
 */
export function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
