import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elementsOf, readTree } from '#mail/frame/read-tree.ts';
import { LANGUAGES } from '../../locales/messages.ts';
import type { Newsletter } from '../../newsletter.ts';
import { buttonMail } from '../../subscribers/confirmation/button-mail.ts';
import { issueFrame } from './issue-frame.ts';

/** The fields of a newsletter that a frame reads. */
const OF_NEWSLETTER = {
  name: 'Acme & <Söhne>',
  language: 'en',
  fromName: null,
  postalAddress: 'Street 1\nTown',
  accentColor: '#ff0',
  logoUrl: 'https://cdn.example.com/l.png',
};

function frameOf(changes: object, subject = 'A subject'): string {
  // oxlint-disable-next-line no-unsafe-type-assertion -- the rest of a newsletter is not read
  const newsletter = { ...OF_NEWSLETTER, ...changes } as Newsletter;
  const { html } = issueFrame(newsletter, { subject, preheader: 'Pre & view', viewUrl: 'https://n.example.com/i' });
  return `${html.before}<p>What its author wrote</p>${html.after}`;
}

test('mail of newsletters can be read aloud in every language: a language, a title, tables that are none, pictures with words', () => {
  for (const language of LANGUAGES) {
    const texts = { preheader: 'p', title: 't', text: 'x', button: 'b', linkHint: 'h', notes: 'n' };
    const newsletter = { ...OF_NEWSLETTER, language };
    const confirmation = buttonMail(newsletter, { subject: 'A subject', url: 'https://n.example.com/c', ...texts });
    for (const html of [frameOf({ language }), frameOf({ language, logoUrl: null }), confirmation.html]) {
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
      for (const forbidden of ['script', 'form', 'iframe', 'link', 'style'])
        assert.deepEqual(all(forbidden), [], forbidden);
    }
  }
});

test('a subject of variables is no title, since all readers have one document: the name of the newsletter is', () => {
  assert.match(frameOf({}, 'Hi {{ subscriber.name }}'), /<title>Acme &amp; &lt;Söhne&gt;<\/title>/);
  assert.match(frameOf({}, '{% if true %}x{% endif %}'), /<title>Acme &amp; &lt;Söhne&gt;<\/title>/);
});
