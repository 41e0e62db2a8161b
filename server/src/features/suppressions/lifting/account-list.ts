import type { Db } from '#platform/db/database.ts';

/** The list that a provider keeps for the whole account: it refuses these addresses whatever we say. */
export interface AccountList {
  /**
   * Takes an address off, wherever mail of the workspace leaves. Ends within ten seconds, and rejects when there is no
   * answer or a refusal. An address that is not on the list is no failure.
   */
  remove(db: Db, lift: { workspaceId: string; email: string }): Promise<void>;
  /** Ends the calls that are under way. It may be called again afterwards. */
  close(): void;
}
