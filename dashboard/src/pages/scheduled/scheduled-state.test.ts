import assert from 'node:assert/strict';
import { test } from 'node:test';
import { titleOf } from './scheduled-state.ts';

test('a title shows no Liquid of a subject that is filled when the email leaves, and braces of any other', () => {
  const subject = 'Hi {{ first_name | default: "there" }}';
  const none = {};
  for (const [of, title] of [
    [{ subject, template_id: 'one', variables: none }, 'Hi there'],
    [{ subject, template_id: null, variables: { first_name: 'Ada' } }, 'Hi there'],
    [{ subject: '{{ title }}', template_id: 'one', variables: none }, 'Subject with variables'],
    [{ subject: null, template_id: 'one', variables: none }, 'Subject of the template'],
    [{ subject, template_id: null, variables: none }, subject],
    [{ subject: null, template_id: null, variables: none }, '(no subject)'],
  ] as const)
    assert.equal(titleOf(of), title);
});
