/**
 * What programs of others, in another language, make of our messages: the mail parser of Python and dkimpy. A parser of
 * our own ecosystem may share a mistake with us. Needs python3-dkim.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyContent, anyRecipient } from '../../../test/harness/any-message.ts';
import { needsTool } from '../../../test/system-tools.ts';
import { createDkimKeyPair, loadDkimKey } from '../dkim.ts';
import { htmlToText } from './html-to-text.ts';
import { finishMessage, prepareContent } from './message.ts';

const readMessages = `
import sys, json, base64, email, email.policy
def body(msg, kind):
    part = msg.get_body((kind,))
    if part is None: return None
    text = part.get_payload(decode=True).decode('utf-8')
    # Inside a multipart the last line end belongs to the boundary; alone, it is the end of the message.
    return text[:-2] if part is msg and part['content-transfer-encoding'] == 'quoted-printable' else text
out = []
for raw in json.load(sys.stdin)['messages']:
    msg = email.message_from_bytes(base64.b64decode(raw), policy=email.policy.SMTP)
    people = lambda name: [[''.join(a.display_name.split()) or None, a.addr_spec] for h in msg.get_all(name, []) for a in h.addresses]
    out.append({ 'subject': str(msg['subject']), 'from': people('from'), 'to': people('to'), 'cc': people('cc'),
        'text': body(msg, 'plain'), 'html': body(msg, 'html'), 'defects': [str(d) for p in msg.walk() for d in p.defects],
        'files': [[p.get_filename(), base64.b64encode(p.get_payload(decode=True)).decode()] for p in msg.iter_attachments()] })
json.dump(out, sys.stdout)
`;

const verifyMessages = `
import sys, json, base64, dkim
given = json.load(sys.stdin)
json.dump([dkim.verify(base64.b64decode(raw), dnsfunc=lambda *a, **k: given['record'].encode()) for raw in given['messages']], sys.stdout)
`;

// The system's own: a version manager's python3 does not see the packages of the system.
const python = '/usr/bin/python3';

function run(script: string, input: object): unknown {
  const { stdout, stderr, status } = spawnSync(python, ['-c', script], {
    input: JSON.stringify(input),
    maxBuffer: 1 << 28,
  });
  assert.equal(status, 0, stderr.toString());
  return JSON.parse(stdout.toString());
}

const pair = await createDkimKeyPair();
const key = loadDkimKey('acme.test', 'ph1', pair.privateKey);

async function samples(count: number) {
  const pairs = fc.sample(fc.tuple(anyContent, anyRecipient), count);
  return Promise.all(
    pairs.map(async ([content, to]) => ({
      content,
      to,
      mime: await finishMessage(prepareContent(content), { ...to, date: new Date() }, key),
    })),
  );
}

// Before 3.13 this parser keeps the space between two encoded words of a name, so names are compared without spaces.
const named = (list: readonly { name: string | null; address: string }[] = []) =>
  list.map(({ name, address }) => [name?.replace(/\s/g, '') ?? null, address]);
const asSent = (text: string | null) => text?.replace(/\r\n|\r|\n/g, '\r\n') ?? null;
const base64 = (sent: { mime: Buffer }[]) => sent.map(({ mime }) => mime.toString('base64'));

test('the parser of Python reads every message as it was written', async (t) => {
  if (!needsTool(t, 'dkim')) return;
  const sent = await samples(120);
  const read = run(readMessages, { messages: base64(sent) });
  const expected = sent.map(({ content, to }) => ({
    subject: content.subject,
    from: named([content.from]),
    to: named(to.to),
    cc: named(to.cc),
    text: asSent(content.text ?? (htmlToText(content.html ?? '') || null)),
    html: asSent(content.html),
    defects: [],
    files: content.attachments.map(({ filename, body }) => [filename, body.toString('base64')]),
  }));
  for (const [index, message] of expected.entries()) {
    // Beside html, an empty text is not sent.
    if (message.text === '' && message.html !== null) message.text = null;
    assert.deepEqual(Array.isArray(read) && read[index], message);
  }
});

test('dkimpy verifies every message', async (t) => {
  if (!needsTool(t, 'dkim')) return;
  const sent = await samples(80);
  const verdicts = run(verifyMessages, {
    messages: base64(sent),
    record: `v=DKIM1; k=rsa; p=${pair.publicKey}`,
  });
  assert.deepEqual(
    verdicts,
    sent.map(() => true),
  );
});
