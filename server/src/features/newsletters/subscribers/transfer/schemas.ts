import { Type } from 'typebox';
import { SUBSCRIBER_STATUSES } from '../subscriber.ts';

export const ExportQuery = Type.Object({
  format: Type.Optional(Type.Enum(['csv', 'jsonl'], { examples: ['csv'] })),
  status: Type.Optional(Type.Enum([...SUBSCRIBER_STATUSES], { description: 'Only these.', examples: ['active'] })),
});
