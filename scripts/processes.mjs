// Process and signal helpers of the start scripts. Node 20, no dependencies.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'];
const SAME_SIGNAL_MS = 300;
// So late npm passes a signal on at most, on a machine that is busy with other things.
const ECHO_MS = 5_000;

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** The exit code that a shell reports for a process ended by a signal. */
export function signalExitCode(signal) {
  return 128 + (constants.signals[signal] ?? 0);
}

/**
 * Runs a program in our place: its output is ours, signals go to it, and its exit code comes back. It gets a process
 * group of its own, because Ctrl-C would reach it twice otherwise: from the terminal, and from npm, which passes
 * signals on as well. Here the same signal twice within 0.3 s counts once, and below npm the second of two whenever npm
 * comes to it; the next one is a person's.
 */
export function runInOurPlace(command, args, options) {
  const isBelowNpm = process.env.npm_lifecycle_event !== undefined;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: 'inherit', detached: process.platform !== 'win32' });
    const last = {};
    const echoes = new Set();
    for (const signal of FORWARDED) {
      process.on(signal, () => {
        const now = performance.now();
        const ago = now - (last[signal] ?? -Infinity);
        const isEcho = echoes.delete(signal) && ago < ECHO_MS;
        if (isEcho || ago < SAME_SIGNAL_MS) return;
        last[signal] = now;
        if (isBelowNpm) echoes.add(signal);
        child.kill(signal);
      });
    }
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? signalExitCode(signal)));
  });
}
