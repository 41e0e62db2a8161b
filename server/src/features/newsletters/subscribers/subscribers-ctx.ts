import type { Ctx } from '#platform/http/context.ts';

/** The dependencies of the verbs of subscribers; `workspaceId` is the newsletter's, also for a public page. */
export type SubscribersCtx = Pick<Ctx, 'db' | 'workspaceId' | 'actor' | 'clock' | 'settings' | 'secrets'>;
