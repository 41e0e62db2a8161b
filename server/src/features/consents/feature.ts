import type { Settings } from '#platform/config/settings.ts';
import type { Clock } from '#platform/clock.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { loop } from '#platform/work/loop.ts';
import { loopByAge } from '#platform/work/loop-by-age.ts';
import { forgetLapsedLists } from './deleted-lists.ts';
import { eraseTraces, type ErasingPorts } from './erase-traces.ts';

const HOUR_MS = 3_600_000;

export interface ConsentsFeature {
  name: 'consents';
  services: { ofWorker: Service[] };
}

export function createConsentsFeature(
  wiring: ErasingPorts & { clock: Clock; log: Log; settings: Pick<Settings, 'consentDays'> },
): ConsentsFeature {
  const erasing = loop({
    name: 'erasing traces of people',
    everyMs: HOUR_MS,
    clock: wiring.clock,
    log: wiring.log,
    failure: 'traces of erased people could not be removed; trying again later',
    round: (goOn) => eraseTraces(wiring, goOn),
  });
  const forgetting = loopByAge({
    db: wiring.db,
    name: 'consents of deleted lists',
    everyMs: HOUR_MS,
    clock: wiring.clock,
    log: wiring.log,
    failure: 'consents that are kept no longer could not be removed; trying again later',
    async round(goOn) {
      await forgetLapsedLists(wiring.db, wiring.settings.consentDays, goOn);
    },
  });
  return { name: 'consents', services: { ofWorker: [erasing, forgetting] } };
}
