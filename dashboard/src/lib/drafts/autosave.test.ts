import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../api-error.ts';
import { Autosave } from './autosave.ts';

function rig(answers: (string | ApiError)[]) {
  const sent: string[] = [];
  const kept: (string | null)[] = [];
  const autosave = new Autosave<string>({
    etag: '"1"',
    waitMs: 60_000,
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
