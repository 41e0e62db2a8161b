import assert from 'node:assert/strict';
import { test } from 'node:test';
import { courseLabel } from './course-label.ts';

test('hours and days of a course are shown as they are in the zone that was asked for', () => {
  assert.equal(courseLabel('2026-11-20T00:30+05:45'), 'Nov 20, 00:30');
  assert.equal(courseLabel('2026-11-20T23:00-10:00'), 'Nov 20, 23:00');
  assert.equal(courseLabel('2026-11-20'), 'Nov 20');
});
