import assert from 'node:assert/strict';
import { test } from 'node:test';
import { featureFaces } from './feature-faces.ts';
import { plantTree } from './planted-tree.ts';

async function problemsOf(files: Record<string, string>): Promise<string> {
  using tree = plantTree(files);
  return (await featureFaces.run(tree)).join('\n');
}
const face = (text: string): Promise<string> => problemsOf({ 'server/src/features/emails/index.ts': text });

test('refused: a feature without a face', async () => {
  assert.match(await problemsOf({ 'server/src/features/emails/queries.ts': '' }), /emails\/index\.ts is missing/);
});

test('refused: export *', async () => {
  assert.match(await face("export * from './send-email.ts';"), /index\.ts:1 exports \*/);
  assert.match(await face("export * as sending from './send-email.ts';"), /index\.ts:1 exports \*/);
});

test('refused: code in a face', async () => {
  assert.match(await face('export const limit = 3;'), /index\.ts:1 holds code/);
  assert.match(await face('export function send() {}'), /index\.ts:1 holds code/);
});

test('refused: more than 40 names', async () => {
  const names = Array.from({ length: 41 }, (_, index) => `n${index}`);
  assert.match(
    await face(`export { ${names.join(', ')} } from './send-email.ts';`),
    /exports 41 names; the limit is 40/,
  );
});

test('refused: an index.ts below a feature or outside the features', async () => {
  const problems = await problemsOf({
    'server/src/features/emails/index.ts': '',
    'server/src/features/emails/batch/index.ts': '',
    'server/src/mail/index.ts': '',
  });
  assert.match(problems, /emails\/batch\/index\.ts: only a feature/);
  assert.match(problems, /src\/mail\/index\.ts: only a feature/);
});

test('accepted: named re-exports and the feature object', async () => {
  const text = [
    "import { routes } from './routes.ts';",
    "export { sendEmail } from './send-email.ts';",
    "export type { Email } from './email.ts';",
    "export const feature = { name: 'emails', routes };",
  ];
  assert.equal(await face(text.join('\n')), '');
});
