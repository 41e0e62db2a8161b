// The program behind `npm start`: reads the command line and the settings, and runs what they ask for.
import { setFlagsFromString } from 'node:v8';
import { systemClock } from '#platform/clock.ts';
import { readEnvironment } from '#platform/config/environment.ts';
import { loadSettings, SettingsError } from '#platform/config/settings.ts';
import { createLog } from '#platform/log.ts';
import { adminCommand } from './admin/admin-command.ts';
import { type Command, readArguments, USAGE } from './arguments.ts';
import { collectWhenQuiet } from './collect-when-quiet.ts';
import { doctorCommand } from './doctor/doctor-command.ts';
import { providerFaults } from './providers.ts';
import { type RunningPosthorn, startPosthorn } from './start.ts';
import { VERSION } from './version.ts';

// A machine with much memory lets the heap grow to four times what is used before it is cleaned: an import of a
// million rows took 437 MB so. The used memory is small and cleaned quickly.
setFlagsFromString('--heap-growing-percent=40');

// A supervisor that signals every process of a service (systemd does) asks us by itself and through the start script,
// which passes the signal on: once. A person who wants it to end at once asks again later than that.
const SAME_MOMENT_MS = 1_000;

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const fail = (message: string): never => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};

function readCommand(): Command {
  try {
    return readArguments(process.argv.slice(2));
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

function readSettings(): ReturnType<typeof loadSettings> {
  try {
    const { values, fromFile } = readEnvironment(process.cwd());
    return loadSettings(values, providerFaults, fromFile);
  } catch (error) {
    if (error instanceof SettingsError) return fail(error.message);
    throw error;
  }
}

const command = readCommand();
if (command.name === 'help') {
  say(USAGE);
} else if (command.name === 'version') {
  say(VERSION);
} else {
  const { settings, warnings } = readSettings();
  const log = createLog({ level: settings.logLevel });
  for (const warning of warnings) log.warn(warning);
  try {
    if (command.name === 'start') await run(command.roles);
    else if (command.name === 'doctor') process.exitCode = (await doctorCommand({ settings, log, say })) ? 0 : 1;
    else await adminCommand(command, { settings, log, say, signal: untilSignal() });
  } catch (error) {
    log.debug({ err: error }, 'failed');
    const reason = error instanceof Error ? error.message : String(error);
    fail(command.name === 'start' ? `Posthorn could not start: ${reason}` : reason);
  }

  /** Aborted by a request to end, so that a command stops the database that it started. */
  function untilSignal(): AbortSignal {
    const asked = new AbortController();
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'])
      process.once(name, () => asked.abort(new Error(`Ended by ${name}.`)));
    return asked.signal;
  }

  async function run(roles: Extract<Command, { name: 'start' }>['roles']): Promise<void> {
    let running: RunningPosthorn | undefined;
    const giveUp = new AbortController();
    const end = (posthorn: RunningPosthorn): void => {
      posthorn.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'could not stop cleanly');
          process.exit(1);
        },
      );
    };
    let askedMs: number | undefined;
    const stop = (signal: string): void => {
      if (askedMs !== undefined) {
        if (systemClock.monotonicMs() - askedMs > SAME_MOMENT_MS) process.exit(1); // asked again: at once
        return;
      }
      askedMs = systemClock.monotonicMs();
      log.info({ signal }, 'stopping');
      if (running === undefined) giveUp.abort();
      else end(running);
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
    process.on('SIGHUP', stop); // the terminal was closed
    // Half-alive is worse than dead: whatever supervises us starts a fresh process, and nothing accepted is lost.
    process.on('uncaughtException', (error) => {
      log.fatal({ err: error }, 'uncaught');
      process.exit(1);
    });
    try {
      running = await startPosthorn({ settings, roles, log, say, signal: giveUp.signal });
    } catch (error) {
      if (giveUp.signal.aborted) process.exit(0); // the start has ended everything that it began
      throw error;
    }
    if (giveUp.signal.aborted) end(running);
    else {
      running.sayStart();
      const { gc } = globalThis;
      collectWhenQuiet({ clock: systemClock, collect: gc && (() => gc({ type: 'major', flavor: 'last-resort' })) });
    }
  }
}
