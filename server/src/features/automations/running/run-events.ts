import { publishWebhooks } from '#features/webhooks';
import type { Db } from '#platform/db/database.ts';
import type { Turn } from './run.ts';

/** Tells of runs that ended with an error, in the transaction in which they do. Tests are told to nobody. */
export const publishFailures = (tx: Db, workspaceId: string, turns: readonly Turn[]): Promise<void> =>
  publishWebhooks(
    tx,
    turns.flatMap(({ run, records, next }) => {
      if ('step' in next || next.status !== 'failed' || run.isTest) return [];
      const failed = records.find(({ status }) => status === 'failed');
      return [
        {
          workspaceId,
          type: 'automation.failed' as const,
          ...(run.newsletterId === null ? {} : { newsletterId: run.newsletterId }),
          data: {
            automation: { id: run.automationId, version: run.version },
            run: { id: run.runId, email: run.email, step: failed?.key ?? null },
            error: { message: failed?.error ?? null, code: 'step_failed' },
          },
        },
      ];
    }),
  );
