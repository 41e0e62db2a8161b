import type { Actor } from '#platform/http/context.ts';

/** The caller that has signed in. */
export interface RelayUser {
  actor: Actor;
  workspaceId: string;
  /** The password: it is looked up again before each message, so that a revoked key sends nothing more. */
  key: string;
}
