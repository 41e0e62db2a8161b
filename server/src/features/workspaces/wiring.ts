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

/** The work of another feature before a workspace is deleted, in the same transaction. */
export type WorkspaceReaction = (tx: Db, workspaceId: string) => Promise<void>;

/** An API key as a remover of its maker is told of it. */
export interface KeyOfMember {
  id: string;
  name: string;
}

/** The working API keys that a user has made in a workspace, newest first, at most 100. */
export type ListKeysOf = (db: Db, workspaceId: string, userId: string) => Promise<KeyOfMember[]>;

/** The dependencies of this feature on those above it, given by main. */
export interface WorkspacesWiring {
  sendSystemMail: SendSystemMail;
  listKeysOf: ListKeysOf;
  beforeWorkspaceDeleted?: readonly WorkspaceReaction[];
}
