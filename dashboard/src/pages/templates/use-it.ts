import type { Template } from '../../api/generated/types.gen.ts';
import { sampleOf } from './writing/template-form.ts';

/** The body of a send of a template. The sender is left out where the template has one. */
export function sendOf({ id, alias, from, samples, variables }: Template) {
  return {
    ...(from === null ? { from: 'hello@example.com' } : {}),
    to: ['ada@example.com'],
    templateId: alias ?? id,
    variables: samples[0]?.variables ?? (JSON.parse(sampleOf(variables)) as Record<string, unknown>), // an object, as made
  };
}

/** The send as a program for Node without a library. */
export const asNode = (body: object, origin: string): string =>
  [
    `const answer = await fetch(${JSON.stringify(`${origin}/v1/send`)}, {`,
    "  method: 'POST',",
    '  headers: {',
    '    Authorization: `Bearer ${process.env.POSTHORN_API_KEY}`,',
    "    'Content-Type': 'application/json',",
    '  },',
    `  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),`,
    '});',
    'if (!answer.ok) throw new Error(await answer.text());',
    'console.log(await answer.json());',
  ].join('\n');
