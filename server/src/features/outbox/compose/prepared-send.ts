import type { Mailbox } from '#mail/addresses.ts';
import type { PreparedContent } from '#mail/message.ts';
import type { PersonalRecipient } from './personal-content.ts';
import type { UnfitContent } from './unfit-content.ts';

/** A send's content, composed once: each recipient only gets headers and a signature, and what is its own. */
export interface PreparedSend {
  contentFor(
    email: { workspaceId: string; id: string; lane: number },
    recipient: PersonalRecipient | undefined,
  ): OwnContent | UnfitContent;
  from: Mailbox;
  fromDomain: string;
}

/** The parts of one message. */
export interface OwnContent {
  content: PreparedContent;
  subject: string;
  /** Besides those of every message. */
  headers: readonly { name: string; value: string }[];
}
