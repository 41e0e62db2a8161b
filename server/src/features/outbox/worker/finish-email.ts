import type { Mailbox } from '#mail/addresses/addresses.ts';
import { type GateExpectation, inspectMessage, inspectRawMessage } from '#mail/byte-gate.ts';
import type { DkimKey } from '#mail/dkim.ts';
import { finishMessage } from '#mail/message/message.ts';
import { messageIdOf } from '#mail/headers/message-id.ts';
import { signRawMessage } from '#mail/raw/sign-raw-message.ts';
import type { Clock } from '#platform/clock.ts';
import type { OutgoingMessage } from '#providers/email-provider.ts';
import type { PersonalRecipient } from '../compose/personal-content.ts';
import type { ComposedSend, RawSend } from '../compose/prepared-send.ts';
import { UnfitContent } from '../compose/unfit-content.ts';
import type { ClaimedEmail } from './queries/claim-emails.ts';

interface FinishPorts {
  clock: Clock;
  loadDkimKey(workspaceId: string, domain: string): Promise<DkimKey | null>;
}

/** The bytes of one email. It does not leave when the gate finds problems. */
type FinishedEmail = Pick<OutgoingMessage, 'messageId' | 'mime' | 'subject'> & { problems: string[] };

/** Makes the message of one recipient, or of one group, and signs it. */
export async function finishComposed(
  ports: FinishPorts,
  email: ClaimedEmail,
  send: ComposedSend,
  { recipient, to, cc }: { recipient: PersonalRecipient | undefined; to: Mailbox[]; cc: Mailbox[] },
  expected: GateExpectation,
): Promise<FinishedEmail | UnfitContent> {
  const messageId = messageIdOf(email.id, send.fromDomain);
  const own = send.contentFor(email, recipient);
  if (own instanceof UnfitContent) return own;
  const key = await ports.loadDkimKey(email.workspaceId, send.fromDomain);
  const mime = await finishMessage(
    own.content,
    { to, cc, messageId, date: ports.clock.now(), extraHeaders: own.headers },
    key ?? undefined,
  );
  return { messageId, mime, subject: own.subject, problems: inspectMessage(mime, expected) };
}

/** Signs a message that leaves as it is, with what is tracked in it. */
export async function finishRaw(
  ports: FinishPorts,
  email: ClaimedEmail,
  { messageFor, messageId, subject, fromDomain }: RawSend,
  expected: GateExpectation,
): Promise<FinishedEmail | UnfitContent> {
  const message = messageFor(email);
  if (message instanceof UnfitContent) return message;
  const key = await ports.loadDkimKey(email.workspaceId, fromDomain);
  const mime = await signRawMessage(message, ports.clock.now(), key ?? undefined);
  return { messageId, mime, subject, problems: inspectRawMessage(mime, expected) };
}
