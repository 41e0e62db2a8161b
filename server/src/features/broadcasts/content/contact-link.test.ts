import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LINK_TOKEN_CHARS } from '#features/compositions';
import { createSecrets } from '#platform/crypto/secrets.ts';
import { newId } from '#platform/ids.ts';
import { signContactLink } from './contact-link.ts';

const secrets = createSecrets('a master secret for tests, 32 bytes or more');

test('the size of an email is checked with links as long as those that contacts get', async () => {
  const claims = { workspaceId: newId(), contactId: newId(), broadcastId: newId() };
  const charsFor = async (email: string): Promise<number> =>
    (await signContactLink(secrets, { ...claims, email }, new Date())).length;
  const usual = await charsFor('ada.lovelace@mail.example.com');
  assert.ok(Math.abs(usual - LINK_TOKEN_CHARS) <= 10, `a link has ${usual} characters`);
});
