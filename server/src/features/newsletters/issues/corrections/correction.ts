import { Type } from 'typebox';
import { nullable } from '#platform/records/wire-types.ts';
import { Id } from '../issue.ts';

export const CorrectionBody = Type.Object({
  content_version: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 1,
        maximum: 32_767,
        description: 'The version of the content that was wrong; everybody who was sent the issue when left out.',
        examples: [1],
      }),
    ),
  ),
});

/** On the record of a correction. */
export const Corrects = Type.Object(
  {
    id: Id,
    content_version: nullable(Type.Integer({ description: 'null: everybody who was sent it.', examples: [1] })),
  },
  {
    title: 'IssueCorrects',
    additionalProperties: false,
    description: 'The issue that this one corrects: it goes to exactly those who were sent it and are still active.',
  },
);

/** The mailing that a correction is for. */
export interface Correction {
  correctsId: string;
  sendId: string;
  contentVersion: number | null;
}
