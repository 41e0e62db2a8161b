import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultOfForward } from './forward-health.ts';

const WELL = {
  enabled: true,
  disabled_reason: null,
  last_success_at: null,
  last_failure_at: null,
  failing_since: null,
};

test('a forward that fails or is disabled is told with its remedy, and one that does well is not', () => {
  assert.equal(faultOfForward(null), undefined);
  assert.equal(faultOfForward(WELL), undefined);
  assert.equal(faultOfForward({ ...WELL, last_failure_at: '2026-11-20T10:00:00.000Z' }), undefined);
  const failing = faultOfForward({ ...WELL, failing_since: '2026-11-20T10:00:00.000Z' });
  assert.equal(failing?.tone, 'warn');
  assert.match(failing?.words ?? '', /^Every delivery has failed since .*2026/);
  const disabled = faultOfForward({ ...WELL, enabled: false, disabled_reason: 'The receiver answered 410.' });
  assert.equal(disabled?.tone, 'bad');
  assert.match(disabled?.words ?? '', /^Posthorn disabled it: The receiver answered 410\. .*Save the address again/);
});
