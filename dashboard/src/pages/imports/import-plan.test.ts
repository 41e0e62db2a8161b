import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsOf, EMPTY_PLAN, fieldsInWords, fieldsOfJson, meaningsOf, queryOf } from './import-plan.ts';

test('columns are shown with their first values', () => {
  assert.deepEqual(columnsOf('E-Mail;Name\nada@example.com;Ada\nbob@example.com;\n'), [
    { name: 'E-Mail', samples: ['ada@example.com', 'bob@example.com'] },
    { name: 'Name', samples: ['Ada'] },
  ]);
});

test('a file without a header has no columns to map', () => {
  assert.deepEqual(columnsOf('ada@example.com,Ada\n'), []);
});

test('the fields of lines of JSON are those of the first line', () => {
  assert.deepEqual(fieldsOfJson('{"email":"ada@example.com","n":1}\n{"email":"b"}'), [
    { name: 'email', samples: ['ada@example.com'] },
    { name: 'n', samples: ['1'] },
  ]);
  assert.deepEqual(fieldsOfJson('[1]'), []);
});

test('only columns with a meaning of their own are in the map', () => {
  const query = queryOf(
    { ...EMPTY_PLAN, agreement: 'already_confirmed', meanings: { 'E-Mail privat': 'email', 'Kunde seit': 'metadata' } },
    { dryRun: true, kind: 'newsletter' },
  );
  assert.deepEqual(query, {
    dry_run: 'true',
    on_conflict: 'skip',
    other_columns: 'metadata',
    consent: 'already_confirmed',
    column_map: '{"E-Mail privat":"email","Kunde seit":"metadata.kunde_seit"}',
  });
});

test('contacts of a list have no consent and no source', () => {
  const plan = { ...EMPTY_PLAN, agreement: 'already_confirmed' as const, source: 'mailchimp' };
  assert.deepEqual(queryOf(plan, { dryRun: false, kind: 'list' }), {
    dry_run: 'false',
    on_conflict: 'skip',
    other_columns: 'metadata',
  });
});

test('the map of an earlier import is read as choices of the page', () => {
  const meanings = meaningsOf({ 'E-Mail privat': 'email', 'Kunde seit': 'metadata.since', Foto: 'ignore', X: 'other' });
  assert.deepEqual(meanings, { 'E-Mail privat': 'email', 'Kunde seit': 'metadata', Foto: 'ignore' });
});

test('the fields that columns were read as are words, and each keeps its name that is none of ours', () => {
  const fields = ['email', 'first_name', 'timezone', 'metadata.city'];
  assert.equal(fieldsInWords(fields, 'list'), 'Address, First name, Time zone, property city');
  assert.equal(fieldsInWords(['email', 'created_at'], 'newsletter'), 'Address, Time of sign-up');
});
