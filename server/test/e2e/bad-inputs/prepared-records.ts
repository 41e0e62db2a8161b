/** Records in the states that some operations need, and tokens of mailed links: for the examples of the document. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { pauseSend } from '#features/outbox';
import { newId } from '#platform/ids.ts';
import type { TestApp } from '../../harness/app.ts';
import { until } from '../../harness/until.ts';
import { type OwnRecord, ownIdFor, signInTo } from './own-records.ts';

export interface Prepared {
  /** They come before the records that fit in general. */
  records: OwnRecord[];
  /** Of mailed links, by operation id. */
  tokens: Readonly<Record<string, string>>;
}

/** `registered` has signed up, and was sent a link to verify the address. */
export async function prepareRecords(
  app: TestApp,
  own: readonly OwnRecord[],
  registered: { email: string },
): Promise<Prepared> {
  const token = await signInTo(app);
  const made = async (url: string, body?: unknown, key = token): Promise<any> => {
    const answer = await app.request({ url, key, ...(body === undefined ? {} : { body }) });
    assert.ok(answer.status < 300, `${url} answered ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const email = { from: 'Acme <hello@posthorn.test>', to: 'ada@example.com', subject: 'Hello', text: 'Hello' };
  const attachments = [{ filename: 'a.txt', content: 'AAEC' }];
  const withFile = (await made('/v1/send', { ...email, attachments })).emails[0].id;
  const { attachments: files } = await made(`/v1/emails/${withFile}/content`);
  const paused = (await made('/v1/send', email)).jobId;
  assert.ok(await pauseSend(app.db, app.workspaceId, paused, 'asked'));
  const invited = { email: 'invited@example.com', role: 'viewer' };
  await made(`/workspaces/${app.workspaceId}/invites`, invited);
  const doomedWorkspace = (await made('/workspaces', { name: 'Doomed' })).id;
  const forgetful = { email: 'forgetful@example.com', password: 'the one before' };
  await made('/auth/register', forgetful, '');
  await made('/auth/forgot-password', { email: forgetful.email }, '');
  await signInTo(app);
  const sessions: { id: string }[] = (await made('/auth/sessions')).data;
  const newsletterId = ownIdFor(own, 'GET /v1/newsletters/{id}', 'id') ?? '';
  return {
    records: [
      { start: /attachments/, name: 'id', id: withFile },
      { start: /attachments/, name: 'attachmentId', id: files[0].id },
      { start: /\/v1\/send\/.*resume$/, name: 'jobId', id: paused },
      { start: /^DELETE \/workspaces\/\{id\}$/, name: 'id', id: doomedWorkspace },
      { start: /^DELETE .*members/, name: 'userId', id: await aMember(app, 'leaver@example.com') },
      { start: /members/, name: 'userId', id: await aMember(app, 'member@example.com') },
      { start: /^DELETE .*sessions/, name: 'id', id: sessions.at(-1)?.id ?? '' },
      { start: /imports.*cancel$/, name: 'id', id: await anImport(app, newsletterId, 'queued') },
      { start: /imports/, name: 'id', id: await anImport(app, newsletterId, 'completed') },
      { start: /\/invites\/\{token\}/, name: 'token', id: await mailedToken(app, invited.email, 'accept-invite') },
    ],
    tokens: {
      reset_password: await mailedToken(app, forgetful.email, 'reset-password'),
      verify_email: await mailedToken(app, registered.email, 'verify-email'),
    },
  };
}

async function aMember({ db, workspaceId }: TestApp, address: string): Promise<string> {
  const id = newId();
  await sql`insert into users (id, email, created_at, updated_at) values (${id}, ${address}, now(), now())`.execute(db);
  await sql`insert into members (workspace_id, user_id, role) values (${workspaceId}, ${id}, 'viewer')`.execute(db);
  return id;
}

const IMPORT_OPTIONS = { onConflict: 'skip', dryRun: false, alreadyConfirmed: false, sendConfirmation: false };

async function anImport({ db, workspaceId }: TestApp, newsletterId: string, status: string): Promise<string> {
  const id = newId();
  await sql`insert into imports (workspace_id, id, target_type, target_id, status, format, options, created_by, completed_at)
    values (${workspaceId}, ${id}, 'newsletter', ${newsletterId}, ${status}, 'csv',
      ${JSON.stringify(IMPORT_OPTIONS)}::jsonb, ${JSON.stringify({ type: 'api_key', id: null, email: null })}::jsonb, ${status === 'completed' ? new Date() : null})`.execute(
    db,
  );
  return id;
}

/** Some mails are written after the answer, so that its time tells nothing about the address. */
const mailedToken = ({ db, workspaceId }: TestApp, recipient: string, page: string): Promise<string> =>
  until(`the mail to ${recipient} with /${page}`, async () => {
    const { rows } = await sql<{ text: string }>`
      select c.text from emails e join contents c on c.workspace_id = e.workspace_id and c.id = e.content_id
       where e.workspace_id = ${workspaceId} and e.recipient = ${recipient} and c.text like ${`%/${page}?token=%`}
       order by e.id desc limit 1`.execute(db);
    return /token=([\w-]{43})/.exec(rows[0]?.text ?? '')?.[1];
  });
