import { bulkSends } from '#features/outbox';
import type { Service } from '#platform/lifecycle.ts';
import { periodic } from '#platform/periodic.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import { freezeIssues } from './freeze-issues.ts';

/** How soon another process goes on where one was killed, or hears of an issue that it did not send itself. */
const EVERY_MS = 500;

/** What a process with the worker role runs. Any number of processes may. */
export function fanOutServices({ db, log }: Pick<NewslettersWiring, 'db' | 'log'>, everyMs = EVERY_MS): Service[] {
  const freezer = periodic({
    name: 'issue freeze',
    everyMs,
    log,
    failure: 'recipients of issues are not frozen; trying again',
    work: (goOn) => freezeIssues(db, goOn),
  });
  let off: (() => void) | undefined;
  return [
    {
      name: freezer.name,
      async start() {
        await freezer.start();
        off ??= bulkSends.onWork(() => freezer.wake());
        freezer.wake();
      },
      async stop() {
        off?.();
        off = undefined;
        await freezer.stop();
      },
    },
  ];
}
