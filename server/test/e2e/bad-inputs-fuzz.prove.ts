/**
 * Requests made from the OpenAPI document for every operation: fitting, nearly fitting and not fitting at all, with
 * every kind of credentials. Whatever comes, the answer is one that the document allows, and never a 5xx. Seeded: what
 * fails can be repeated.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { createTestApp, type TestApp } from '../harness/app.ts';
import { makeOwnRecords, type OwnRecord, ownIdFor, signInTo } from './bad-inputs/own-records.ts';
import { type Documented, type GeneratedRequest, requestsFor, wholeBodyOf } from './bad-inputs/requests.ts';

const SEED = Number(process.env['POSTHORN_PROPERTY_SEED'] ?? 20_261_121);
/** Requests per operation; those that hash a password cost a tenth of a second each. */
const RUNS = Number(process.env['POSTHORN_PROPERTY_RUNS'] ?? 12);
const SLOW_RUNS = 8;
const MANY_RUNS = 5 * RUNS;
const HASHES_PASSWORDS =
  /^(register_user|sign_in|accept_invite|reset_password|update_me|request_password_reset|request_email_change|delete_account)$/;
/** Routes that may end the session that asks. */
const ENDS_SESSIONS = /logout|sessions|password|\/auth\/me|members|\/workspaces\/\{id\}$/;
/** The statuses with which any operation may refuse. 405: dots in a path led to another one. */
const REFUSALS = new Set([400, 401, 403, 404, 405, 409, 413, 415, 422, 429]);

/** Needs more than a fitting request: a token that was mailed, a state that only a worker brings about. */
const NEVER_GOOD_HERE = new Set([
  'get_calendar', // two days in order
  'get_remembered_column_map', // an import with the same columns
  'send_broadcast', // a broadcast that is whole
  'correct_broadcast', // one that was sent
  'correct_issue',
  'redirect_broadcast_link',
  'redirect_issue_link',
  'enable_bimi', // addresses on the web
  'verify_bimi', // and a DNS
  'test_domain_webhook', // an address on the web
  'redeliver_inbound_email', // the same
  'get_inbound_attachment', // a file in a received message
  'undo_bulk_contact_job', // a job that has ended
  'rotate_domain_dkim', // a verified domain
  'get_inbound_file', // a signed link
  'set_up_two_factor', // a password
  'enable_two_factor', // a code of an app
  'disable_two_factor',
  'replace_recovery_codes',
  'verify_two_factor',
  'refresh_session',
  'reset_password',
  'verify_email',
  'request_email_change', // a password
  'confirm_email_change',
  'delete_account',
  'accept_invite',
  'delete_workspace',
  'change_member_role',
  'remove_member',
  'end_session',
  'get_captured_email',
  'get_captured_email_raw',
  'get_captured_email_attachment',
  'simulate_outcome',
  'get_email_attachment',
  'get_email_raw',
  'resume_send', // a send that was paused
  'pause_issue',
  'pause_broadcast',
  'resume_broadcast',
  'retry_failed_of_broadcast',
  'resume_issue', // and an issue
  'import_suppressions', // bytes, and so
  'upload_image', // bytes
  'copy_image', // a picture at the address
  'receive_ses_events', // signed by Amazon
  'retry_failed_recipients', // an issue that was sent, and refused
  'import_contacts', // bytes
  'create_import', // a form with a file
  'add_to_list', // contacts that are there, by one of two names
  'remove_from_list',
  'create_segment', // a filter of known fields
  'preview_segment',
  'create_bulk_contact_job',
  'import_subscribers', // bytes, and so
  'get_import',
  'get_import_errors',
  'cancel_import',
  'count_undo',
  'undo_import',
  'get_export_file', // a token
  'get_captured_email_html',
  'create_export', // a newsletter named in the body
]);

let app: TestApp;
let records: OwnRecord[];

before(async () => {
  app = await createTestApp({
    env: { POSTHORN_SIGNUP: 'open', POSTHORN_PUBLIC_LIMIT_PER_MINUTE: '0', POSTHORN_PUBLIC_LIMIT_PER_HOUR: '0' },
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo; // a TCP listener has one
  records = await makeOwnRecords(app, `http://127.0.0.1:${port}/`);
});
after(async () => {
  await app.close();
  receiver.closeAllConnections();
  receiver.close();
});

const receiver = createServer((_request, response) => response.end('ok'));

const runsOf = (operationId: string): number =>
  HASHES_PASSWORDS.test(operationId) ? SLOW_RUNS : wholeBodyOf(operationId) === undefined ? RUNS : MANY_RUNS;

test('no request made from the OpenAPI document is answered with a 5xx or with what the document does not say', async (t) => {
  const answers = new Map<number, number>();
  const neverGood: string[] = [];
  let token = await signInTo(app);
  for (const [path, methods] of Object.entries(app.document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const documented = operation as Documented;
      let good = 0;
      const ownIds = (name: string): string[] => {
        const route = `${method.toUpperCase()} ${path}`;
        return [ownIdFor(records, route, name) ?? 'x'];
      };
      const ask = async ({ as, ...request }: GeneratedRequest): Promise<void> => {
        const held = as === 'key' ? app.key : as === 'token' ? token : as;
        const { status, text } = await app.request({ ...request, key: held });
        answers.set(status, (answers.get(status) ?? 0) + 1);
        if (status < 300) good += 1;
        else assert.ok(REFUSALS.has(status), `${request.method} ${request.url} answered ${status} ${text}`);
        if (ENDS_SESSIONS.test(path) && method !== 'get' && status < 300) token = await signInTo(app);
      };
      await fc.assert(fc.asyncProperty(requestsFor(method.toUpperCase(), path, documented, ownIds), ask), {
        seed: SEED,
        numRuns: runsOf(documented.operationId),
        endOnFailure: false,
      });
      if (good === 0) neverGood.push(documented.operationId);
    }
  }
  const unexpected = neverGood.filter((id) => !NEVER_GOOD_HERE.has(id.replace(/_at_.*$/, '')));
  assert.deepEqual(unexpected, [], 'each operation was also asked for what it does');
  assert.equal(Reflect.get({}, 'isAdmin'), undefined);
  assert.deepEqual(app.logged, [], 'nothing unexpected was logged');
  assert.equal((await app.request({ url: '/health', key: null })).status, 200);
  const counts = [...answers].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  t.diagnostic(`seed ${SEED}: ${counts.join(', ')}`);
});
