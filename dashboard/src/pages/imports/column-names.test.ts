import assert from 'node:assert/strict';
import { test } from 'node:test';
// The test compares the copy with the rule that decides.
import { layoutOf, type LayoutRules } from '../../../../server/src/features/transfers/imports/layout.ts';
import { PERSON_LAYOUT } from '../../../../server/src/features/transfers/people/person-fields.ts';
import { choiceOf, meaningsByContent, readColumns } from './column-names.ts';
import { columnsOf, EMPTY_PLAN, type ImportPlan, queryOf, type TargetKind } from './import-plan.ts';

const path = new URL('../../../../server/src/features/contacts/imports/contact-layout.ts', import.meta.url).href;
// By an address: its types would bring the whole server along.
const { CONTACT_LAYOUT } = (await import(path)) as { CONTACT_LAYOUT: LayoutRules };
const RULES: Readonly<Record<TargetKind, LayoutRules>> = { newsletter: PERSON_LAYOUT, list: CONTACT_LAYOUT };

/** Files of other services, files with odd names, and every name that the server knows. */
const HEADERS: readonly (readonly string[])[] = [
  ['Email Address', 'First Name', 'Last Name', 'MEMBER_RATING', 'OPTIN_TIME', 'CLEAN_TIME', 'TAGS'],
  ['email', 'type', 'metadata', 'Plan Name', 'plan_name'],
  ['address', 'email', 'Mail', 'metadata.city', 'attributes.city', 'City', '', '!!'],
  ['E-Mail privat', 'Kunde seit', 'Foto', 'Foto', 'Zeitzone', 'time zone', 'locale'],
  ['email', 'Status', 'state', 'type', 'subscribed', 'unsubscribed', 'properties', 'attributes', 'tz', 'lang'],
  ...Object.values(PERSON_LAYOUT.names).flatMap((names) => names.map((name) => [name, 'email', 'x'])),
];
const PLANS: readonly ImportPlan[] = [
  EMPTY_PLAN,
  { ...EMPTY_PLAN, otherColumns: 'ignore' },
  { ...EMPTY_PLAN, meanings: { 'E-Mail privat': 'email', 'Kunde seit': 'metadata', Foto: 'ignore' } },
  { ...EMPTY_PLAN, meanings: { address: 'email', Mail: 'name', City: 'metadata' } },
];

/** The same question to the server, as the meaning of each column. */
function byServer(header: readonly string[], plan: ImportPlan, kind: TargetKind) {
  const query = queryOf(plan, { dryRun: true, kind });
  const columnMap = JSON.parse(query.column_map ?? '{}') as Record<string, string>; // as queryOf writes it
  const columns = header.map((name, at) => ({ name, at: String(at) }));
  const wishes = { columnMap, otherColumns: plan.otherColumns };
  const layout = layoutOf(columns, { rules: RULES[kind], wishes }, ',');
  if (layout === undefined) return undefined;
  return header.map((_name, at) => {
    const field = Object.keys(layout.fields).find((one) => layout.fields[one] === String(at));
    if (field !== undefined) return { field };
    return Object.values(layout.metadata).includes(String(at)) ? 'metadata' : 'ignore';
  });
}

test('each column is shown as the server reads it, for both kinds of lists and every choice', () => {
  let compared = 0;
  for (const kind of ['newsletter', 'list'] as const) {
    for (const plan of PLANS) {
      for (const header of HEADERS) {
        if (Object.keys(plan.meanings).some((name) => !header.includes(name))) continue;
        const read = readColumns(header, plan, kind);
        const hasAddress = read.some((one) => typeof one === 'object' && one.field === 'email');
        const expected = byServer(header, plan, kind);
        assert.equal(hasAddress, expected !== undefined, header.join());
        if (expected !== undefined) assert.deepEqual(read, expected, `${kind}: ${header.join()}`);
        compared += 1;
      }
    }
  }
  assert.ok(compared > 200, String(compared));
});

test('every field has words, and a field of that name is told from the meaning that keeps a column under its name', () => {
  for (const kind of ['newsletter', 'list'] as const) {
    for (const field of Object.keys(RULES[kind].names)) {
      assert.match(choiceOf({ field }, kind).label, /^[A-Z]/, field);
    }
  }
  assert.equal(choiceOf('metadata', 'newsletter').label, 'Metadata, under its name');
  assert.equal(choiceOf({ field: 'metadata' }, 'newsletter').label, 'All metadata, as JSON');
});

test('a column with a strange name is the address when each of its first values is one, and no other column is', () => {
  const meaningsOfFile = (text: string) => meaningsByContent(columnsOf(text), 'newsletter');
  assert.deepEqual(meaningsOfFile('Ville;Courriel\nParis; ada@example.com\nLyon;bob@example.com\n'), {
    Courriel: 'email',
  });
  assert.deepEqual(meaningsOfFile('Email;Courriel\n;ada@example.com\n'), {}, 'a name tells it');
  assert.deepEqual(meaningsOfFile('Courriel;Parrain\nada@example.com;bob@example.com\n'), {}, 'two columns have some');
  assert.deepEqual(meaningsOfFile('Note\nWrite to ada@example.com\n'), {}, 'a sentence is no address');
});
