import type { Ctx } from '#platform/http/context.ts';

/** What the verbs of subscribers need; `workspaceId` is the newsletter's, also for a public page. */
export type SubscribersCtx = Pick<Ctx, 'db' | 'workspaceId' | 'actor' | 'clock' | 'settings' | 'secrets'>;
