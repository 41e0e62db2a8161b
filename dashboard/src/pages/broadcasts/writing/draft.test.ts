import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeOf, type Draft, isSameDraft, lacksOf } from './draft.ts';

const NOBODY = { list_ids: [], segment_id: null, contact_ids: [], exclude_list_ids: [] };
const EMPTY: Draft = {
  name: 'Black Friday',
  from: '',
  subject: '',
  preheader: '',
  html: '',
  editor: null,
  templateId: null,
  audience: NOBODY,
};

test('a broadcast names each part that it lacks, and with a template only its audience', () => {
  assert.equal(lacksOf(EMPTY).length, 4);
  assert.deepEqual(lacksOf({ ...EMPTY, templateId: 't' }), ['It goes to nobody yet: choose lists or a segment.']);
  const full = { ...EMPTY, from: 'a@posthorn.test', subject: 'Hi', html: '<p>a</p>' };
  for (const audience of [{ list_ids: ['l'] }, { segment_id: 's' }, { contact_ids: ['c'] }]) {
    assert.deepEqual(lacksOf({ ...full, audience: { ...NOBODY, ...audience } }), []);
  }
  assert.equal(lacksOf({ ...full, audience: { ...NOBODY, exclude_list_ids: ['l'] } }).length, 1);
});

test('empty fields are saved as null, an emptied name stays as it was, and blocks are no change', () => {
  const { name, ...others } = changeOf({ ...EMPTY, name: ' ' });
  assert.equal(name, undefined);
  assert.deepEqual(others, {
    from: null,
    subject: null,
    preheader: null,
    html: null,
    template_id: null,
    audience: NOBODY,
  });
  assert.ok(isSameDraft(EMPTY, { ...EMPTY, editor: { type: 'doc' } as never })); // any document
  assert.ok(!isSameDraft(EMPTY, { ...EMPTY, audience: { ...NOBODY, list_ids: ['l'] } }));
});
