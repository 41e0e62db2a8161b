import assert from 'node:assert/strict';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';

/** Sends the body of a form, from a network address. */
export const submitForm = (
  app: FastifyInstance,
  url: string,
  payload: string,
  from: string,
): Promise<LightMyRequestResponse> =>
  app.inject({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': from },
  });

/** The behaviour of a browser when the button is pressed: the form's own fields, with those that were filled in. */
export function pressForm(
  app: FastifyInstance,
  page: LightMyRequestResponse,
  filled: Record<string, string>,
  from: string,
): Promise<LightMyRequestResponse> {
  const action = /<form method="post" action="([\w-]+)"/.exec(page.body)?.[1];
  assert.ok(action !== undefined, 'the page has a form');
  const inputs = [...page.body.matchAll(/<input [^>]*name="(\w+)"[^>]*>/g)];
  const fields = inputs.map(([tag, name = '']): [string, string] => [
    name,
    filled[name] ?? /value="([^"]*)"/.exec(tag)?.[1] ?? '',
  ]);
  for (const name of Object.keys(filled))
    assert.ok(
      fields.some(([field]) => field === name),
      `there is a field ${name}`,
    );
  return submitForm(app, `/${action}`, new URLSearchParams(fields).toString(), from);
}
