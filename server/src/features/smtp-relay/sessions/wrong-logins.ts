import { createFloodGuard } from '#features/request-log';
import { firstExceeded } from '#platform/attempts/attempt-limits.ts';
import type { Clock } from '#platform/clock.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import { networkOf } from '#platform/ip-network.ts';
import { countWrongLogin } from './queries.ts';

/** Sign-ins with keys that are nobody's: counted for the operator, by network. */
export interface WrongLogins {
  /** Counts one, and says whether the network has tried too many. */
  areTooMany(address: string): Promise<boolean>;
}

const TRIES = { max: 20, windowSeconds: 900 };

export function createWrongLogins(parts: { db: Db; clock: Clock; secrets: Secrets }): WrongLogins {
  const { db, clock } = parts;
  // Many networks at once fill no table: beyond some a second they are only slowed down.
  const guard = createFloodGuard(clock);
  return {
    async areTooMany(address) {
      if (!guard.admits('every network', true)) return true;
      const network = networkOf(address, { ofIpv4: 4, ofIpv6: 8 });
      const now = clock.now();
      await countWrongLogin(db, network, address, now);
      return (await firstExceeded(parts, [{ subject: `wrong relay sign-in ${network}`, ...TRIES }], now)) !== undefined;
    },
  };
}
