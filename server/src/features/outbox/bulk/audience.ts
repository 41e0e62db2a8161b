import type { RawBuilder } from 'kysely';
import type { LoadRecipients } from '../compose/personal-content.ts';

/** The list that a bulk send goes to: the kind names the feature that keeps it. */
export interface AudienceKey {
  workspaceId: string;
  kind: string;
  audienceId: string;
}

/**
 * The port of a feature that keeps lists; given by main. Besides, the feature says which recipients must not get
 * anything more of what was frozen for them: `ph_stop_recipients`, and `ph_let_recipients` when they are back, in the
 * transaction of the change. A trigger on its table leaves no way around that.
 */
export interface Audience {
  /** As in `audience_kind` of the sends to it. */
  kind: string;
  /**
   * Selects the next recipients after a cursor (null: from the start), at most `limit`, in ascending order of
   * recipient. Columns: recipient (the identity of the address, which is also the cursor), recipient_name,
   * recipient_id, passed_over (true: they get nothing, and are only counted). It is part of the statement that freezes
   * them, so nothing of a page passes through a process. `part`: only the recipients of this part; null: the send has
   * none.
   */
  page(
    of: Omit<AudienceKey, 'kind'> & { sendId: string; part: number | null },
    after: string | null,
    limit: number,
  ): RawBuilder<unknown>;
  /** The recipients of a page, when fewer than usual are wanted. */
  pageSize?: number;
  /** Loads the personal part of each email of a claimed page. */
  loadRecipients: LoadRecipients;
}
