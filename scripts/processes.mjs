// What the start scripts need to know about processes and signals. Node 20, no dependencies.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'];
const SAME_SIGNAL_MS = 300;

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** What a shell reports for a process that a signal ended. */
export function signalExitCode(signal) {
  return 128 + (constants.signals[signal] ?? 0);
}

/**
 * Runs a program in our place: its output is ours, signals go to it, and its exit code comes back. It gets a process
 * group of its own, because Ctrl-C would reach it twice otherwise: from the terminal, and from npm, which passes
 * signals on as well. Here the same signal twice within 0.3 s counts once; a second Ctrl-C of a person is later.
 */
export function runInOurPlace(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: 'inherit', detached: process.platform !== 'win32' });
    const last = {};
    for (const signal of FORWARDED) {
      process.on(signal, () => {
        const now = performance.now();
        if (now - (last[signal] ?? -Infinity) < SAME_SIGNAL_MS) return;
        last[signal] = now;
        child.kill(signal);
      });
    }
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? signalExitCode(signal)));
  });
}
