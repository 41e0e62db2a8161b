/** A composition of no list that there is: nothing here knows newsletters. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#platform/ids.ts';
import type { Composition } from './composition.ts';
import { preview } from './preview.ts';

const written = { subject: 'News', preheader: null, html: '<p>Hi {{ contact.name }}</p>', text: null };

const aBroadcast = (changes: Partial<Composition['written']>): Composition => ({
  id: newId(),
  written: { ...written, ...changes },
  list: { workspaceId: newId(), id: newId(), name: 'Customers', slug: 'customers' },
  frame: {
    language: 'en',
    mark: { name: 'Acme', accentColor: null, logoUrl: null },
    sender: 'Acme',
    postalAddress: null,
    words: { reason: 'You bought something.', unsubscribe: 'Leave', preferences: 'Choose', viewOnline: 'Read online' },
    viewUrl: '',
  },
  tracking: { opens: true, clicks: true },
  variablesOf: (contact, { unsubscribeUrl, preferencesUrl }) => ({
    contact,
    unsubscribe_url: unsubscribeUrl,
    preferences_url: preferencesUrl,
  }),
  knownPaths: ['contact.name'],
  ofReader: ['contact'],
  deadLinks: (token) => ({
    unsubscribeUrl: `https://l.example/${token}`,
    preferencesUrl: `https://p.example/${token}`,
  }),
  names: { mail: 'broadcast', list: 'list', readers: 'contacts', html: 'html', text: 'text', sender: 'from' },
});

test('the way out is in the html and in the text, and leads nowhere in a preview of a real person', async () => {
  const grace = { name: 'Grace', email: 'grace@example.com', metadata: {} };
  const { html, text } = await preview(aBroadcast({}), () => Promise.resolve(grace));
  assert.match(html, /<p>Hi Grace<\/p>/);
  for (const part of [html, text]) {
    assert.ok(part.includes('https://l.example/preview') && part.includes('https://p.example/preview'));
    assert.ok(part.includes('You bought something.'));
    assert.ok(!part.includes('Read online'), 'there is no page to read it on');
  }
});

test('a preheader of variables is filled for its reader, and one without is the author’s', async () => {
  const shown = async (preheader: string) => (await preview(aBroadcast({ preheader }), null)).html;
  assert.match(await shown('For {{ contact.name }} & you'), />For Ada Lovelace &amp; you/);
  assert.match(await shown('50 % off & more'), />50 % off &amp; more/);
});

test('a refusal names the field and the mail as the composing feature calls them', async () => {
  for (const [changes, param, message] of [
    [{ html: ' ' }, 'html', /^The broadcast has no body/],
    [{ subject: '' }, 'subject', /^The broadcast has no subject/],
    [{ subject: '{{ contact.name }}' }, 'subject', /empty for contacts without a name/],
    [{ text: '{% if %}' }, 'text', /./],
    [{ html: '<p>{{ contact.name | nothing }}</p>' }, 'html', /./],
    [{ html: `<p>${'x'.repeat(2 * 1024 * 1024)}</p>` }, 'html', /longer than 2 MB/],
    [{ html: '<div style="display:none"><body hidden>x' }, 'html', /./],
  ] as const) {
    await assert.rejects(preview(aBroadcast(changes), null), (error: Error & { extras?: { param?: string } }) => {
      assert.equal(error.extras?.param, param, error.message);
      assert.match(error.message, message);
      return true;
    });
  }
});
