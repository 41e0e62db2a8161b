import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkPictureHosts } from './check-picture-hosts.ts';

const OWN = 'http://mail.acme.test:3000';
const check = (...sources: string[]) => checkPictureHosts(sources, OWN).map(({ level, message }) => [level, message]);

test('pictures of this server, of no web address and of a variable are not named', () => {
  assert.deepEqual(check(`${OWN}/images/abc`, 'data:image/png;base64,AA', 'cid:a', '{{ picture }}', 'https://'), []);
});

test('other servers are named once each', () => {
  assert.deepEqual(check('https://cdn.acme.test/a.png', ' https://cdn.acme.test/b.png', 'http://b.test/c.png'), [
    ['ok', '3 pictures are loaded from cdn.acme.test, b.test, and not from this server.'],
  ]);
  const many = Array.from({ length: 9 }, (_, n) => `https://h${n}.test/x.png`);
  assert.match(String(check(...many)[0]?.[1]), /h4\.test and 4 more, and not/);
});

const UNSEEN = [
  'https://lh3.googleusercontent.com/docs/abc',
  'https://mail.google.com/mail/u/0?ui=2&attid=0.1',
  'https://acme.sharepoint.com/picture.png',
  'https://files.slack.com/files-pri/a/b.png',
  'https://bucket.s3.eu-west-1.amazonaws.com/a.png?X-Amz-Expires=300&X-Amz-Signature=f',
  'https://store.blob.core.windows.net/a.png?sv=2026&sig=abc',
];
for (const source of UNSEEN) {
  test(`a warning for a picture that readers will not see: ${source}`, () => {
    const [found, ...more] = check(source, 'https://cdn.acme.test/a.png');
    const host = new URL(source).hostname;
    assert.deepEqual(found, [
      'warning',
      `1 picture is loaded from ${host}, where readers may not see it. Upload it in place of the copied address.`,
    ]);
    assert.deepEqual(more, []);
  });
}
