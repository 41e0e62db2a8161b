import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { Moment } from '#platform/moments.ts';
import { loop } from '#platform/work/loop.ts';
import type { ApiKey } from '../api-key.ts';
import { markKeysUsed } from '../queries.ts';

const EVERY_MS = 5_000;

export interface KeyUseRecorder extends Service {
  note(key: Pick<ApiKey, 'workspaceId' | 'id'>, ip: string): void;
  flush(): Promise<void>;
  readonly flushed: Moment;
}

/**
 * When and from where each key was last used: kept in memory and written every few seconds, one statement a
 * workspace.
 */
export function createKeyUseRecorder(deps: { db: Db; clock: Clock; log: Log }): KeyUseRecorder {
  let uses = new Map<string, Map<string, { id: string; at: Date; ip: string }>>();
  const flushed = new Moment();

  const flush = async (): Promise<void> => {
    const taken = uses;
    uses = new Map();
    for (const [workspaceId, ofWorkspace] of taken) {
      try {
        await markKeysUsed(deps.db, workspaceId, [...ofWorkspace.values()]);
      } catch (error) {
        // Only a display value is lost; the next use writes it again.
        deps.log.warn({ err: error, workspaceId }, 'last use of API keys was not recorded');
      }
    }
    flushed.occur();
  };

  const service = loop({
    name: 'API key use recorder',
    everyMs: EVERY_MS,
    clock: deps.clock,
    log: deps.log,
    failure: 'last uses of API keys were not recorded',
    round: flush,
  });
  return {
    ...service,
    flushed,
    flush,
    note(key, ip) {
      const ofWorkspace = uses.get(key.workspaceId) ?? new Map<string, { id: string; at: Date; ip: string }>();
      uses.set(key.workspaceId, ofWorkspace.set(key.id, { id: key.id, at: deps.clock.now(), ip }));
    },
    async stop() {
      await service.stop();
      await flush();
    },
  };
}
