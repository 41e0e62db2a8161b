import assert from 'node:assert/strict';
import { test } from 'node:test';
import { featureReadmes } from './feature-readmes.ts';
import { plantTree } from './planted-tree.ts';

const CODE = {
  'server/migrations/0001_all.sql':
    'create table emails (\n  workspace_id uuid\n);\ncreate table email_events (\n  workspace_id uuid\n);',
  'server/src/features/emails/routes.ts': `
    export const routes = [
      route({ method: 'POST', path: '/v1/send', handler: send }),
      route({ method: 'GET', path: '/v1/emails/:id', handler: read }),
    ];`,
  'server/src/features/emails/queries.ts': `
    sql\`select id from emails where workspace_id = 1\`;
    sql\`insert into email_events (workspace_id) values (1)\`;`,
};
const GOOD = `# emails

## Tables
\`emails\`, and it writes \`email_events\` of another feature.

## Routes
- \`POST /v1/send\`, \`GET /v1/emails/:id\`
`;

async function problemsOf(readme: string | undefined): Promise<string> {
  using tree = plantTree({
    ...CODE,
    ...(readme === undefined ? {} : { 'server/src/features/emails/README.md': readme }),
  });
  return (await featureReadmes.run(tree)).join('\n');
}

test('accepted: a README that says what the code does', async () => assert.equal(await problemsOf(GOOD), ''));

test('accepted: labels instead of headings', async () => {
  assert.equal(
    await problemsOf(
      '# emails\n\nTables: `emails`, `email_events`.\n**Routes**: `POST /v1/send`,\n`GET /v1/emails/:id`\n',
    ),
    '',
  );
});

test('refused: no README', async () => assert.match(await problemsOf(undefined), /README\.md is missing/));

test('refused: a README over 40 lines', async () => {
  assert.match(await problemsOf(`${GOOD}${'more\n'.repeat(40)}`), /has 47 lines; the limit is 40/);
});

test('refused: a route that the README leaves out, or makes up', async () => {
  const problems = await problemsOf(GOOD.replace('POST /v1/send', 'POST /v1/sends'));
  assert.match(problems, /does not list the route POST \/v1\/send$/m);
  assert.match(problems, /lists POST \/v1\/sends, which no file declares/);
});

test('refused: a table that the README makes up, or that nothing here names', async () => {
  assert.match(
    await problemsOf(GOOD.replace('`emails`', '`emails` `letters`')),
    /the table letters, which no migration/,
  );
  using tree = plantTree({
    ...CODE,
    'server/src/features/emails/queries.ts': '',
    'server/src/features/emails/README.md': GOOD,
  });
  assert.match((await featureReadmes.run(tree)).join(), /the table emails, which no statement of it names/);
});
