import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReplyTo, readTags, readVariables, tagsText, variablesText } from './option-texts.ts';

test('addresses are read with commas between them, and a word without @ is named', () => {
  assert.deepEqual(readReplyTo(' a@x.test, B <b@x.test> ,'), { value: ['a@x.test', 'B <b@x.test>'] });
  assert.deepEqual(readReplyTo(''), { value: [] });
  assert.deepEqual(readReplyTo('a@x.test, nobody'), { problem: '“nobody” is no address.' });
  assert.ok('problem' in readReplyTo(Array.from({ length: 11 }, () => 'a@x.test').join()));
});

test('labels are read as they are shown, and anything else is named', () => {
  const tags = [
    { name: 'campaign', value: 'fall' },
    { name: 'kind', value: 'offer' },
  ];
  assert.deepEqual(readTags(tagsText(tags)), { value: tags });
  for (const bad of ['campaign', 'a=b=c', 'größe=1', '=x']) assert.ok('problem' in readTags(bad), bad);
});

test('variables are a JSON object or nothing', () => {
  assert.deepEqual(readVariables(variablesText({ discount: 20 })), { value: { discount: 20 } });
  assert.deepEqual(readVariables(variablesText({})), { value: {} });
  for (const bad of ['[1]', '1', 'null', '{']) assert.ok('problem' in readVariables(bad), bad);
});
