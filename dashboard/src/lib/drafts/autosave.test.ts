import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../api-error.ts';
import { Autosave } from './autosave.ts';

const CHANGED = new ApiError('answer', 409, 'changed');

/** `theirs` is the text that the server has, when it is asked for. */
function rig(answers: (string | ApiError)[], theirs = 'theirs') {
  const sent: string[] = [];
  const kept: (string | null)[] = [];
  const autosave = new Autosave<string>({
    etag: '"1"',
    base: 'opened',
    waitMs: 60_000,
    read: async () => ({ draft: theirs, etag: '"now"' }),
    isSame: (a, b) => a === b,
    keep: (draft) => kept.push(draft),
    save: async (draft, etag) => {
      sent.push(`${draft} over ${etag}`);
      const answer = answers.shift() ?? '"?"';
      if (answer instanceof ApiError) throw answer;
      return answer;
    },
  });
  return { autosave, sent, kept };
}

test('a draft is kept in the browser until it is saved, each over the version that the last save made', async () => {
  const { autosave, sent, kept } = rig(['"2"', '"3"']);
  autosave.change('a');
  await autosave.flush();
  autosave.change('b');
  await autosave.flush();
  assert.deepEqual(sent, ['a over "1"', 'b over "2"']);
  assert.deepEqual(kept, ['a', null, 'b', null]);
  assert.equal(autosave.state().kind, 'saved');
});

test('a lost connection keeps the draft, and the next attempt saves it', async () => {
  const { autosave, sent, kept } = rig([new ApiError('network', 0, 'gone'), '"2"']);
  autosave.change('a');
  await autosave.flush();
  assert.equal(autosave.state().kind, 'offline');
  assert.deepEqual(kept, ['a']);
  await autosave.flush();
  assert.equal(sent.length, 2);
  assert.equal(autosave.state().kind, 'saved');
});

test('a conflict saves nothing more until the person has chosen', async () => {
  const { autosave, sent } = rig([new ApiError('answer', 409, 'changed'), '"9"']);
  autosave.change('mine');
  await autosave.flush();
  assert.equal(autosave.state().kind, 'conflict');
  autosave.change('mine, more');
  await autosave.flush();
  assert.equal(sent.length, 1);
  await autosave.insist('mine, more', '"8"');
  assert.deepEqual(sent.at(-1), 'mine, more over "8"');
  assert.equal(autosave.state().kind, 'saved');
});

test('a save whose answer was lost is no conflict: the server has the same text', async () => {
  const { autosave, sent, kept } = rig([new ApiError('network', 0, 'gone'), CHANGED, '"8"'], 'a');
  autosave.change('a');
  await autosave.flush();
  await autosave.flush();
  assert.equal(autosave.state().kind, 'saved');
  assert.deepEqual(kept, ['a', null]);
  autosave.change('a b');
  await autosave.flush();
  assert.deepEqual(sent, ['a over "1"', 'a over "1"', 'a b over "now"']);
});

test('a later text is saved over the one whose answer was lost', async () => {
  const { autosave, sent } = rig([new ApiError('network', 0, 'gone'), CHANGED, '"8"'], 'a');
  autosave.change('a');
  await autosave.flush();
  autosave.change('a b');
  await autosave.flush();
  assert.deepEqual(sent, ['a over "1"', 'a b over "1"', 'a b over "now"']);
  assert.equal(autosave.state().kind, 'saved');
});

test('a version with the text that was opened is no conflict: another field has changed', async () => {
  const { autosave, sent } = rig([CHANGED, '"8"'], 'opened');
  autosave.change('a');
  await autosave.flush();
  assert.deepEqual(sent, ['a over "1"', 'a over "now"']);
  assert.equal(autosave.state().kind, 'saved');
});

test('the text of somebody else is a conflict also behind a lost answer, and stays as it is', async () => {
  const { autosave, sent } = rig([new ApiError('network', 0, 'gone'), CHANGED]);
  autosave.change('a');
  await autosave.flush();
  await autosave.flush();
  assert.equal(autosave.state().kind, 'conflict');
  assert.deepEqual(sent, ['a over "1"', 'a over "1"']);
});

test('a text that was saved before and brought back by somebody else is a conflict', async () => {
  const { autosave, sent } = rig(['"2"', CHANGED], 'opened');
  autosave.change('a');
  await autosave.flush();
  autosave.change('a b');
  await autosave.flush();
  assert.equal(autosave.state().kind, 'conflict');
  assert.equal(sent.length, 2);
});

test('a version that is not to be saved over, such as one that was scheduled since, is a conflict', async () => {
  const sent: string[] = [];
  const autosave = new Autosave<string>({
    etag: '"1"',
    base: 'opened',
    waitMs: 60_000,
    read: () => Promise.reject(new Error('The issue is scheduled now.')),
    isSame: (a, b) => a === b,
    keep: () => undefined,
    save: (draft) => {
      sent.push(draft);
      return Promise.reject(CHANGED);
    },
  });
  autosave.change('a');
  await autosave.flush();
  assert.deepEqual([autosave.state().kind, sent], ['conflict', ['a']]);
});
