import type { Mailbox } from '#mail/addresses/addresses.ts';
import type { PreparedContent } from '#mail/message/message.ts';
import type { PreparedRawMessage } from '#mail/raw/sign-raw-message.ts';
import type { PersonalRecipient } from './personal-content.ts';
import type { UnfitContent } from './unfit-content.ts';

/** A send's content, read and composed once for all its recipients. */
export type PreparedSend = ComposedSend | RawSend;

/** Each recipient only gets headers and a signature, and what is its own. */
export interface ComposedSend {
  kind: 'composed';
  contentFor(
    email: { workspaceId: string; id: string; lane: number },
    recipient: PersonalRecipient | undefined,
  ): OwnContent | UnfitContent;
  from: Mailbox;
  fromDomain: string;
}

/** A message that leaves as it is: the same for everybody, except for what is tracked in its html. */
export interface RawSend {
  kind: 'raw';
  /** UnfitContent: it was erased. */
  messageFor(email: { id: string }): PreparedRawMessage | UnfitContent;
  messageId: string;
  subject: string;
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
