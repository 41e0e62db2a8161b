import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isReservedSlug } from './newsletter-rules.ts';
import { pageRoutes } from './public/pages/routes.ts';
import type { NewLinks } from './public/links/send-new-links.ts';
import { publicRoutes } from './public/routes.ts';
import type { NewslettersWiring } from './wiring.ts';

test('every word that stands where a slug would in a public path is reserved', () => {
  // Nothing is called: the routes are only listed.
  const wiring = { settings: {} } as NewslettersWiring;
  const words = [...publicRoutes(wiring, {} as NewLinks), ...pageRoutes()]
    .map(({ path }) => /^(?:\/api)?\/n\/([^/]+)/.exec(path)?.[1])
    .filter((word) => word !== undefined && word !== ':slug')
    .filter((word) => !word?.includes('.')); // no slug has a dot
  assert.ok(words.length > 0);
  assert.deepEqual(
    words.filter((word) => word !== undefined && !isReservedSlug(word)),
    [],
  );
});
