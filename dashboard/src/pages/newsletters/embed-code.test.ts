import assert from 'node:assert/strict';
import { test } from 'node:test';
import { embedCode } from './embed-code.ts';

const form = { name: 'Acme Weekly', embedUrl: 'https://mail.example.com/n/acme-weekly/embed' } as const;

test('the code has the form, its height and the script beside it', () => {
  assert.equal(
    embedCode({ ...form, layout: 'line', theme: 'dark' }),
    `<iframe src="https://mail.example.com/n/acme-weekly/embed?layout=line&amp;theme=dark" title="Subscribe to Acme Weekly"
        style="width: 100%; height: 190px; border: 0"></iframe>
<script src="https://mail.example.com/n/embed.js" async></script>`,
  );
});

test('a name never ends its attribute', () => {
  const code = embedCode({ ...form, name: `"><script>alert(1)</script>`, layout: 'full', theme: 'light' });
  assert.ok(code.includes('Subscribe to &quot;&gt;&lt;script&gt;'));
});
