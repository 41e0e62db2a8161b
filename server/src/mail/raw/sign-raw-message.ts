import {
  type DkimKey,
  dkimBodyHash,
  dkimSignature,
  refuseForeignKey,
  type SignableField,
  signableField,
} from '../dkim.ts';
import { readHeaderFields } from './header-fields.ts';

/** A message that leaves as it is, read once for all its signatures. */
export interface PreparedRawMessage {
  fromDomain: string;
  mime: Buffer;
  signable: SignableField[];
  /** Computed when it is asked for: without a key nobody asks. */
  bodyHash(): string;
}

/** Reads the fields and the body as they are signed. `mime` was accepted by readRawMessage. */
export function prepareRawMessage(mime: Buffer, fromDomain: string): PreparedRawMessage {
  const headerEnd = mime.indexOf('\r\n\r\n', 0, 'latin1');
  const fields = headerEnd === -1 ? null : readHeaderFields(mime.toString('latin1', 0, headerEnd + 2));
  if (fields === null) throw new Error('a message was stored that nobody accepted');
  let bodyHash: string | undefined;
  return {
    fromDomain,
    mime,
    signable: fields.map(({ name, value }) => signableField(name, value)),
    bodyHash() {
      bodyHash ??= dkimBodyHash(mime.subarray(headerEnd + 4));
      return bodyHash;
    },
  };
}

/** The bytes that leave: those of the message, behind a signature when a key is given. */
export async function signRawMessage(message: PreparedRawMessage, at: Date, key?: DkimKey): Promise<Buffer> {
  if (key === undefined) return message.mime;
  refuseForeignKey(key, message.fromDomain);
  const signature = await dkimSignature(message.signable, message.bodyHash(), at, key);
  return Buffer.concat([Buffer.from(signature, 'latin1'), message.mime]);
}
