import type { Mailbox } from '#mail/addresses/addresses.ts';
import { messageIdOf } from '#mail/headers/message-id.ts';
import { readOtherSenders } from '#mail/raw/other-senders.ts';
import { RawMessageError } from '#mail/raw/raw-message-error.ts';
import { type RawMessage, readRawMessage } from '#mail/raw/read-raw-message.ts';
import type { Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { SmtpReply } from '#platform/smtp/smtp-reply.ts';
import { type ControlFields, ControlFieldReader } from './control-fields.ts';

/** A message as it was read, with the fields that steer it, which are not part of it any more. */
export interface ReadMessage {
  raw: RawMessage;
  control: ControlFields;
  /** It came with a Message-ID. */
  hasOwnId: boolean;
  /** The mailboxes of Sender and of the Resent fields. */
  senders: Mailbox[];
}

/** Reads a message. 554 5.6.0 says why it cannot leave. */
export async function readMessage({ clock }: Ctx, bytes: Buffer): Promise<ReadMessage> {
  const fields = new ControlFieldReader();
  const newMessageId = (domain: string): string => {
    hasOwnId = false;
    return messageIdOf(newId(), domain);
  };
  let hasOwnId = true;
  try {
    const isRemoved = (name: string, value: string): boolean => fields.take(name, value);
    const raw = await readRawMessage(bytes, { date: clock.now(), newMessageId, isRemoved });
    return { raw, control: await fields.read(), hasOwnId, senders: await readOtherSenders(raw.mime) };
  } catch (error) {
    if (error instanceof RawMessageError) throw new SmtpReply(554, error.message, '5.6.0');
    throw error;
  }
}
