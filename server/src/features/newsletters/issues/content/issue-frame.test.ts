import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preview } from '#features/compositions';
import { elementsOf, readTree } from '#mail/frame/read-tree.ts';
import { newId } from '#platform/ids.ts';
import { buttonMail, LANGUAGES } from '#features/reader-pages';
import type { Newsletter } from '../../newsletter.ts';
import { issueComposition } from './issue-composition.ts';

/** The fields of a newsletter that a frame reads. */
const OF_NEWSLETTER = {
  workspaceId: newId(),
  id: newId(),
  name: 'Acme & <Söhne>',
  slug: 'acme',
  archiveEnabled: true,
  language: 'en',
  fromName: null,
  postalAddress: 'Street 1\nTown',
  accentColor: '#ff0',
  logoUrl: 'https://cdn.example.com/l.png',
};
const ISSUE = {
  id: newId(),
  slug: 'i',
  preheader: 'Pre & view',
  htmlBody: '<p>What its author wrote</p>',
  textBody: null,
};

async function sentHtml(changes: object, subject = 'A subject'): Promise<string> {
  // oxlint-disable-next-line no-unsafe-type-assertion -- the rest of a newsletter is not read
  const newsletter = { ...OF_NEWSLETTER, ...changes } as Newsletter;
  return (await preview(issueComposition('https://n.example.com', newsletter, { ...ISSUE, subject }), null)).html;
}

test('mail of newsletters can be read aloud in every language: a language, a title, tables that are none, pictures with words', async () => {
  for (const language of LANGUAGES) {
    const texts = { preheader: 'p', title: 't', text: 'x', button: 'b', linkHint: 'h', notes: 'n' };
    const mail = { subject: 'A subject', url: 'https://n.example.com/c', ...texts };
    const confirmation = buttonMail(OF_NEWSLETTER, language, mail);
    for (const html of [await sentHtml({ language }), await sentHtml({ language, logoUrl: null }), confirmation.html]) {
      const elements = [...elementsOf(readTree(html).document)].map(({ tagName, attrs }) => ({
        tagName,
        attributes: new Map(attrs.map(({ name, value }) => [name, value])),
      }));
      const all = (name: string) => elements.filter(({ tagName }) => tagName === name);
      assert.deepEqual(
        all('html').map(({ attributes }) => attributes.get('lang')),
        [language],
      );
      assert.match(html, /<title>A subject<\/title>/);
      assert.ok(all('table').length >= 2);
      for (const { attributes } of all('table')) assert.equal(attributes.get('role'), 'presentation');
      for (const { attributes } of all('img')) assert.equal(attributes.get('alt'), OF_NEWSLETTER.name);
      assert.ok(all('meta').some(({ attributes }) => attributes.get('name') === 'color-scheme'));
      for (const forbidden of ['script', 'form', 'iframe', 'link']) assert.deepEqual(all(forbidden), [], forbidden);
      // A sheet of ours would mean what an author wrote, too; the card of a confirmation has nothing of an author.
      const sheets = [...html.matchAll(/<style>(.*)<\/style>/g)].map(([, sheet = '']) => sheet);
      assert.equal(all('style').length, sheets.length);
      if (html !== confirmation.html) assert.deepEqual(sheets, []);
      for (const sheet of sheets) assert.match(sheet, /^@media \(prefers-color-scheme:dark\)\{.*\}$/);
    }
  }
});

test('the sender is named once where the postal address begins with the same name', async () => {
  const named = async (postalAddress: string) =>
    (await sentHtml({ name: 'Acme', logoUrl: null, postalAddress })).match(/Acme<br>|>Acme<br>/g)?.length;
  assert.deepEqual([await named('Acme\nStreet 1'), await named('Street 1')], [1, 1]);
});

test('a subject of variables is no title, since all readers have one document: the name of the newsletter is', async () => {
  assert.match(await sentHtml({}, 'Hi {{ subscriber.name }}'), /<title>Acme &amp; &lt;Söhne&gt;<\/title>/);
  assert.match(await sentHtml({}, '{% if true %}x{% endif %}'), /<title>Acme &amp; &lt;Söhne&gt;<\/title>/);
});
