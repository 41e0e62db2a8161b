import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { Moment } from '#platform/moments.ts';
import { loop } from '#platform/work/loop.ts';
import { addUses } from '#platform/usage/queries.ts';
import { windowOf } from '#platform/utc-windows.ts';
import type { ApiKey } from '../api-key.ts';
import { markKeysUsed } from '../queries.ts';

const EVERY_MS = 5_000;

export interface KeyUseRecorder extends Service {
  note(key: Pick<ApiKey, 'workspaceId' | 'id'>, ip: string): void;
  flush(): Promise<void>;
  readonly flushed: Moment;
}

interface Use {
  id: string;
  /** The last one. */
  at: Date;
  ip: string;
  count: number;
}

/**
 * When and from where each key was last used, and how often on this day: kept in memory and written every few seconds,
 * two statements a workspace. A process that is killed loses the uses of these seconds.
 */
export function createKeyUseRecorder(deps: { db: Db; clock: Clock; log: Log }): KeyUseRecorder {
  let uses = new Map<string, Map<string, Use>>();
  const flushed = new Moment();

  const flush = async (): Promise<void> => {
    const taken = uses;
    uses = new Map();
    for (const [workspaceId, ofWorkspace] of taken) {
      try {
        const all = [...ofWorkspace.values()];
        await markKeysUsed(deps.db, workspaceId, all);
        await addUses(
          deps.db,
          workspaceId,
          all.map(({ id, at, count }) => ({ subjectId: id, day: windowOf('daily', at).start, count })),
        );
      } catch (error) {
        // Only display values are lost.
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
      const ofWorkspace = uses.get(key.workspaceId) ?? new Map<string, Use>();
      const count = (ofWorkspace.get(key.id)?.count ?? 0) + 1;
      uses.set(key.workspaceId, ofWorkspace.set(key.id, { id: key.id, at: deps.clock.now(), ip, count }));
    },
    async stop() {
      await service.stop();
      await flush();
    },
  };
}
