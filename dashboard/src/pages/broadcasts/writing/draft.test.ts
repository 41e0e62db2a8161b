import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeOf, type Draft, isSameDraft, lacksOf } from './draft.ts';

const NOBODY = { list_ids: [], segment_id: null, newsletter_id: null, contact_ids: [], exclude_list_ids: [] };
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
  assert.deepEqual(lacksOf({ ...EMPTY, templateId: 't' }), [
    'It goes to nobody yet: choose lists, a segment or a newsletter.',
  ]);
  const full = { ...EMPTY, from: 'a@posthorn.test', subject: 'Hi', html: '<p>a</p>' };
  for (const audience of [{ list_ids: ['l'] }, { segment_id: 's' }, { contact_ids: ['c'] }, { newsletter_id: 'n' }]) {
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

test('options are saved with a draft, and left as they are by one that was kept without them', () => {
  const options = {
    replyTo: ['help@posthorn.test'],
    tags: [{ name: 'campaign', value: 'fall' }],
    trackOpens: false,
    trackClicks: null,
    variables: { discount: 20 },
    followUpOf: 'b',
  };
  const change = changeOf({ ...EMPTY, options });
  assert.deepEqual(
    [change.reply_to, change.tags, change.track_opens, change.track_clicks, change.variables, change.follow_up_of],
    [['help@posthorn.test'], options.tags, false, null, { discount: 20 }, 'b'],
  );
  assert.ok(!('reply_to' in changeOf(EMPTY)));
  assert.ok(!isSameDraft({ ...EMPTY, options }, { ...EMPTY, options: { ...options, trackClicks: true } }));
});
