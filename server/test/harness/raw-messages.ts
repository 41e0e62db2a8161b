/** Messages that somebody else composed, such as a mail program hands to a relay. */
import { createHash } from 'node:crypto';
import { type RawMessage, readRawMessage } from '#mail/raw/read-raw-message.ts';

const HEAD = [
  'Received: from laptop by client.acme.test; Sun, 22 Nov 2026 09:00:00 +0000',
  'From: "Acme, Inc" <hello@posthorn.test>',
  'To: Everybody <all@lists.test>,',
  '\tsomeone@elsewhere.test',
  'Subject:=?utf-8?Q?Gr=C3=BC=C3=9Fe?=',
  'Date: Sun, 22 Nov 2026 09:00:00 +0000',
  'Message-ID: <4711@client.acme.test>',
  'MIME-Version: 1.0',
];

/** A message with these parts of its own. The text is latin1: a character is a byte. */
export const rawMime = (
  body: string,
  { type = 'text/plain; charset=utf-8', fields = [] }: { type?: string; fields?: readonly string[] } = {},
): Buffer => Buffer.from(`${[...HEAD, ...fields, `Content-Type: ${type}`].join('\r\n')}\r\n\r\n${body}`, 'latin1');

const lineOf = (index: number): string => `${'0123456789abcdef'.repeat(4)}${index}`;
const megabyte = Array.from({ length: 16_000 }, (_, index) => lineOf(index)).join('\r\n');

const SIGNED_PART =
  'Content-Type: text/plain\r\nContent-Transfer-Encoding: 8bit\r\n\r\n.\r\n  trailing \t\r\n-- \r\nGr\xc3\xbc\xc3\x9fe\r\n';

/** As S/MIME signs (RFC 8551): the digest is of the exact bytes of the first part. */
const signedBody = (): string => {
  const digest = createHash('sha256').update(Buffer.from(SIGNED_PART, 'latin1')).digest('base64');
  return `--s\r\n${SIGNED_PART}\r\n--s\r\nContent-Type: application/pkcs7-signature\r\n\r\n${digest}\r\n--s--\r\n`;
};

/** Whether the digest in the second part is still that of the first. */
export function isStillSigned(mime: Buffer): boolean {
  const [, first = '', second = ''] = mime.toString('latin1').split('--s\r\n');
  const [, digest] = /\r\n\r\n([\w+/=]+)\r\n/.exec(second) ?? [];
  return (
    createHash('sha256')
      .update(Buffer.from(first.slice(0, -2), 'latin1'))
      .digest('base64') === digest
  );
}

/** Messages as programs send them, in which a relay might be tempted to touch something. */
export const RAW_MIMES: Readonly<Record<string, Buffer>> = {
  ascii: rawMime('Hello\r\n'),
  'eight bits': rawMime('Gr\xc3\xbc\xc3\x9fe \xff\xfe\r\n'),
  'dots at line starts': rawMime('.\r\n..\r\n.a\r\n...\r\n\r\n.\r\n'),
  'the longest lines': rawMime(`${'x'.repeat(998)}\r\n.${'y'.repeat(997)}\r\n`),
  'spaces at line ends': rawMime('a \r\nb\t\r\n \r\n\t\r\n\r\n\r\n'),
  'no body': rawMime(''),
  'a megabyte': rawMime(`--b\r\nContent-Type: application/pdf\r\n\r\n${megabyte}\r\n--b--\r\n`, {
    type: 'multipart/mixed; boundary=b',
  }),
  signed: rawMime(signedBody(), {
    type: 'multipart/signed; protocol="application/pkcs7-signature"; micalg=sha-256;\r\n\tboundary="s"',
    fields: ['X-Odd:no space', 'X-Folded: a', '  b\t', 'DKIM-Signature: v=1; a=rsa-sha256; d=client.test; s=x; b=AAAA'],
  }),
};

/** Reads a message as a relay does. */
export const aRawMessage = (mime: Uint8Array = RAW_MIMES['ascii'] ?? Buffer.alloc(0)): Promise<RawMessage> =>
  readRawMessage(mime, { date: new Date('2026-11-22T10:00:00Z'), newMessageId: (domain) => `<new@${domain}>` });
