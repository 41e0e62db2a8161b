import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { nearestName, otherSpelling } from './spelling.ts';

test('the other spelling of a name, in both directions', () => {
  for (const [camel, snake] of [
    ['replyTo', 'reply_to'],
    ['dryRun', 'dry_run'],
    ['newsletterId', 'newsletter_id'],
    ['to', 'to'],
  ] as const) {
    assert.equal(otherSpelling(camel), snake);
    assert.equal(otherSpelling(snake), camel);
  }
});

test('a name is near when one letter is missing, added, another, or swapped with its neighbour', () => {
  for (const given of ['htlm', 'htm', 'html5', 'HTML', 'htnl'])
    assert.equal(nearestName(given, ['text', 'html']), 'html');
  for (const given of ['atachmentts', 'atachemnts', 'Attachment'])
    assert.equal(nearestName(given, ['attachments']), 'attachments');
});

test('a short name and another word are not near', () => {
  for (const given of ['t', 'too', 'tp', 'hello', 'ht', 'workspaces', 'x'.repeat(64)]) {
    assert.equal(nearestName(given, ['to', 'html', 'workspace_id']), undefined, given);
  }
});

interface Schema {
  $ref?: string;
  properties?: Record<string, unknown>;
}
interface Content {
  content?: Record<string, { schema: Schema }>;
}

/** openapi.json as this server writes it. */
const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { requestBody?: Content; responses: Record<string, Content> }>>;
  components: { schemas: Record<string, Schema> };
};

const fieldsOf = (part: Content | undefined): string[] => {
  const schema = part?.content?.['application/json']?.schema;
  const name = schema?.$ref?.split('/').at(-1);
  return Object.keys((name === undefined ? schema : document.components.schemas[name])?.properties ?? {});
};

/** `POST /v1/contacts/{id}/unsubscribe`: it takes fields of its own, and nobody sends it the record. */
const ACTION = /\}\/[a-z-]+$/;

test('a record can be changed and sent back: none of its fields is nearly another field of the request', () => {
  const mistaken: string[] = [];
  let compared = 0;
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, { requestBody, responses }] of Object.entries(methods)) {
      if (method === 'post' && ACTION.test(path)) continue;
      const taken = fieldsOf(requestBody);
      for (const field of [responses['200'], responses['201']].flatMap(fieldsOf)) {
        compared += 1;
        const isTaken = taken.includes(field) || taken.includes(otherSpelling(field));
        const near = isTaken ? undefined : nearestName(field, taken);
        if (near !== undefined) mistaken.push(`${method} ${path}: ${field} is nearly ${near}`);
      }
    }
  assert.deepEqual(mistaken, []);
  assert.ok(compared > 300, `${compared} fields were compared`);
});
