import type { AuditLog } from '#features/audit';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Route } from '#platform/http/route.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import { createFetchLimit } from './copying/fetch-limit.ts';
import { createDecodingSlots } from './decoding/decoding-slots.ts';
import { purgeImagesService } from './purge-images.ts';
import { imageRoutes } from './routes.ts';
import { createServedImages } from './serve-image.ts';

export interface ImagesFeature {
  name: 'images';
  routes: Route[];
  services: { ofWorker: Service[] };
}

export function createImagesFeature(wiring: {
  db: Db;
  clock: Clock;
  log: Log;
  audit: AuditLog;
  safeFetch: SafeFetch;
}): ImagesFeature {
  const served = createServedImages(wiring.clock);
  return {
    name: 'images',
    routes: imageRoutes({
      audit: wiring.audit,
      safeFetch: wiring.safeFetch,
      served,
      inSlot: createDecodingSlots(),
      inFetch: createFetchLimit(),
    }),
    services: { ofWorker: [purgeImagesService(wiring)] },
  };
}
