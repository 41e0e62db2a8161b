import type { Clock } from '#platform/clock.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { loop } from '#platform/work/loop.ts';
import { eraseTraces, type ErasingPorts } from './erase-traces.ts';

const HOUR_MS = 3_600_000;

export interface ConsentsFeature {
  name: 'consents';
  services: { ofWorker: Service[] };
}

export function createConsentsFeature(wiring: ErasingPorts & { clock: Clock; log: Log }): ConsentsFeature {
  const erasing = loop({
    name: 'erasing traces of people',
    everyMs: HOUR_MS,
    clock: wiring.clock,
    log: wiring.log,
    failure: 'traces of erased people could not be removed; trying again later',
    round: (goOn) => eraseTraces(wiring, goOn),
  });
  return { name: 'consents', services: { ofWorker: [erasing] } };
}
