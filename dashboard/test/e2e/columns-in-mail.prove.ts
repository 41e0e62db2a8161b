/**
 * Columns of an issue, in the mail that a real process hands over. The same blocks leave in quoted-printable and in
 * base64, as their bytes ask for it; a server on the way makes 7bit of the first. Python reads all three, and a browser
 * draws them alike.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { openPage, startBrowser } from '../../../server/test/harness/browser.ts';
import { createTestDatabase } from '../../../server/test/harness/database.ts';
import { type PosthornProcess, startProcess } from '../../../server/test/harness/posthorn-process.ts';
import { undoAfter } from '../../../server/test/harness/undo.ts';
import { until } from '../../../server/test/harness/until.ts';
import { needsTool } from '../../../server/test/system-tools.ts';
import type { BlockDocument, Column, Columns, Paragraph } from '../../src/lib/blocks/document.ts';
import { renderDocument } from '../../src/lib/blocks/render.ts';

type Encoding = '7bit' | 'quoted-printable' | 'base64';

const words = (text: string): Paragraph => ({
  type: 'paragraph',
  attrs: { align: 'left' },
  content: [{ type: 'text', text }],
});
const column = (text: string): Column => ({
  type: 'column',
  content: [
    { type: 'heading', attrs: { level: 3, align: 'left' }, content: [{ type: 'text', text }] },
    words(`${text} = a column of words that are long enough for several lines of it, and of a link.`),
    { type: 'button', attrs: { text, href: 'https://example.com/?a=1&b=2', align: 'left' } },
  ],
});
const columns = (...texts: string[]): Columns => ({ type: 'columns', content: texts.map(column) });
const DOCUMENT: BlockDocument = {
  type: 'doc',
  content: [words('Before'), columns('One', 'Two'), words('Between'), columns('Red', 'Green', 'Blue'), words('After')],
};
/** Nobody sees it, and most of the bytes are its: so base64 is shorter. */
const UNSEEN = `<!-- ${'あ'.repeat(6_000)} -->`;

/** The html of each message with its encoding, and of the first one as a server makes 7bit of it. */
const READ = `
import sys, json, base64, email, email.policy, email.message
out = []
for raw in json.load(sys.stdin):
    msg = email.message_from_bytes(base64.b64decode(raw), policy=email.policy.SMTP)
    part = msg.get_body(('html',))
    out.append([part['content-transfer-encoding'], part.get_content()])
plain = email.message.EmailMessage(policy=email.policy.SMTP)
ascii = out[0][1].encode('ascii', 'xmlcharrefreplace').decode()
plain.set_content(ascii, subtype='html', charset='us-ascii', cte='7bit')
again = email.message_from_bytes(plain.as_bytes(), policy=email.policy.SMTP)
out.append([again['content-transfer-encoding'], again.get_content()])
json.dump(out, sys.stdout)
`;
const readByPython = (messages: readonly Buffer[]): [Encoding, string][] =>
  JSON.parse(
    execFileSync('/usr/bin/python3', ['-c', READ], {
      input: JSON.stringify(messages.map((mime) => mime.toString('base64'))),
      maxBuffer: 1 << 28,
    }).toString(),
  );

/** The bytes of the issues with these bodies, as they were handed over. */
async function sendIssues({ fetch, url, key }: PosthornProcess, bodies: readonly string[]): Promise<Buffer[]> {
  const call = async (path: string, body?: unknown): Promise<{ id: string; data: { id: string }[] }> => {
    const answer = await fetch(path, body === undefined ? {} : { body });
    assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`);
    // The answers of this test have one of the two.
    return answer.body as { id: string; data: { id: string }[] };
  };
  const made = await call('/v1/newsletters', {
    name: 'Acme Weekly',
    slug: 'acme',
    from_email: 'letters@posthorn.test',
    postal_address: '1 Main Street\nSpringfield',
  });
  const consent = { statement: 'Asked at the desk.', collected_at: '2026-01-05T10:00:00.000Z' };
  const person = { email: 'ada@example.com', skip_confirmation: true, consent };
  await call(`/v1/newsletters/${made.id}/subscribers`, person);
  const messages: Buffer[] = [];
  const known = new Set<string>();
  for (const html_body of bodies) {
    const issue = await call(`/v1/newsletters/${made.id}/issues`, { subject: 'Columns', html_body });
    await call(`/v1/newsletters/${made.id}/issues/${issue.id}/send`, {});
    const id = await until('the mail of the issue', async () =>
      (await call('/v1/captured-emails?to=ada@example.com')).data.map((one) => one.id).find((one) => !known.has(one)),
    );
    known.add(id);
    const headers = { authorization: `Bearer ${key}` };
    const raw = await globalThis.fetch(`${url}/v1/captured-emails/${id}/raw`, { headers });
    messages.push(Buffer.from(await raw.arrayBuffer()));
  }
  return messages;
}

interface Drawn {
  /** Left, top, width and height of each block. */
  blocks: number[][];
  /** The same of the cells of each row of columns. */
  rows: number[][][];
}

const DRAWN = `(() => {
  const box = (one) => { const { left, top, width, height } = one.getBoundingClientRect(); return [left, top, width, height].map(Math.round); };
  const isRow = (row) => row.querySelector(':scope > td[valign]') !== null && getComputedStyle(row.querySelector(':scope > td[valign]')).float === 'left';
  return {
    blocks: [...document.querySelectorAll('body h3, body p, body a, body td')].map(box),
    rows: [...document.querySelectorAll('tr')].filter(isRow).map((row) => [...row.querySelectorAll(':scope > td[valign]')].map(box)),
  };
})()`;

const topsOf = (row: readonly number[][]): number => new Set(row.map(([, top]) => top)).size;
const leftsOf = (row: readonly number[][]): number => new Set(row.map(([left]) => left)).size;

test('columns are drawn alike from 7bit, quoted-printable and base64: beside one another in 600 pixels, stacked in 320', async (t) => {
  if (!needsTool(t, 'chromium') || !needsTool(t, 'python')) return;
  const database = await createTestDatabase();
  undoAfter(t, () => database.close());
  const posthorn = await startProcess({ databaseUrl: database.url });
  undoAfter(t, () => posthorn.stop());
  const html = renderDocument(DOCUMENT);
  const read = readByPython(await sendIssues(posthorn, [html, `${html}${UNSEEN}`]));
  assert.deepEqual(
    read.map(([encoding]) => encoding),
    ['quoted-printable', 'base64', '7bit'],
  );
  const browser = await startBrowser();
  undoAfter(t, () => browser.close());
  for (const width of [600, 320]) {
    const { page, close } = await openPage(browser, [], { viewport: { width, height: 800 } });
    const drawn = new Map<Encoding, Drawn>();
    for (const [encoding, source] of read) {
      await page.setContent(source);
      drawn.set(encoding, await page.evaluate<Drawn>(DRAWN));
    }
    await close();
    const [first, ...others] = [...drawn.values()];
    assert.ok(first);
    assert.ok(first.blocks.length > 20);
    const isWide = width === 600;
    assert.deepEqual(
      first.rows.map((row) => [row.length, topsOf(row), leftsOf(row)]),
      isWide
        ? [
            [2, 1, 2],
            [3, 1, 3],
          ]
        : [
            [2, 2, 1],
            [3, 3, 1],
          ],
    );
    for (const other of others) assert.deepEqual(other, first);
  }
});
