import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadSettings } from '#platform/config/settings.ts';
import { EMAIL_EVENTS, EVENT_TYPES, EXTENSION_EVENTS, NEWSLETTER_EVENTS } from './catalogue.ts';
import { envelopeOf } from './events/envelope.ts';
import { sampleEvent } from './testing/sample-events.ts';
import { WEBHOOKS_MAX } from './webhook.ts';

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../../../docs/webhooks.md'), 'utf8');
const AT = new Date('2026-11-20T10:00:05.123Z');

const sampleOf = (type: (typeof EVENT_TYPES)[number]) =>
  envelopeOf(
    sampleEvent(type, {
      workspaceId: '0197f3a0-0001-7002-8003-000400050006',
      eventId: '01a1f866-2103-7abc-8def-0123456789ab',
      at: AT,
    }),
  );

const shown = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`;

test('docs/webhooks.md shows every type with its meaning and what the test endpoint sends', () => {
  const meanings = { ...EMAIL_EVENTS, ...NEWSLETTER_EVENTS, ...EXTENSION_EVENTS };
  for (const type of EVENT_TYPES) {
    const expected = `#### ${type}\n\n${meanings[type]}\n\n${shown(sampleOf(type).event_data)}`;
    assert.ok(DOCUMENT.includes(expected), `docs/webhooks.md should have:\n${expected}`);
  }
  const headings = [...DOCUMENT.matchAll(/^#### (.+)$/gm)].map((heading) => heading[1]);
  assert.deepEqual(headings, EVENT_TYPES, 'and no other');
});

test('docs/webhooks.md shows the whole envelope of an event', () => {
  assert.ok(DOCUMENT.includes(`<!-- envelope of bounce -->\n\n${shown(sampleOf('bounce'))}`));
  assert.equal(sampleOf('bounce').created_at, AT.toISOString());
});

test('the numbers of docs/webhooks.md are those of the code', () => {
  const { settings } = loadSettings({});
  const waits = settings.webhookRetrySeconds
    .map(Number)
    .map((seconds) =>
      seconds < 60 ? `${seconds} s` : seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`,
    );
  const listed = `${waits.slice(0, -1).join(', ')} and ${waits.at(-1)}`;
  assert.ok(DOCUMENT.includes(`is attempted ${waits.length + 1} times: at once, then after ${listed}`), listed);
  assert.ok(DOCUMENT.includes(`at most ${WEBHOOKS_MAX.toLocaleString('en')} endpoints`));
});
