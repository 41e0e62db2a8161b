import type { Db } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';

export interface SystemMail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Queues a mail of our own (password reset, invitation), in the transaction of `ctx.db` when that is one. */
export type SendSystemMail = (ctx: Ctx, mail: SystemMail) => Promise<void>;

/** What another feature must do before a workspace is gone, in the same transaction. */
export type WorkspaceReaction = (tx: Db, workspaceId: string) => Promise<void>;

/** What this feature needs from those above it, given by main. */
export interface WorkspacesWiring {
  sendSystemMail: SendSystemMail;
  beforeWorkspaceDeleted?: readonly WorkspaceReaction[];
}
