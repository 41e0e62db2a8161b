import { readEach } from '#platform/http/fields/read-meaning.ts';
import { readZone } from '#platform/time/zones.ts';
import { invalid } from '#platform/errors/app-error.ts';
import { type AudienceGiven, readAudience } from '../audience/audience.ts';
import type { CreateBroadcastBody, UpdateBroadcastBody } from '../schemas.ts';
import { time } from '../sending/read-send-fields.ts';
import { readContent, readMailbox, readReplyTo, readVariables } from './broadcast-input.ts';

const readers = {
  name: (name: string) => readContent({ name }),
  from: (from: string) => readMailbox('from', from),
  reply_to: (replyTo: string | string[]) => readReplyTo(replyTo),
  subject: (subject: string) => readContent({ subject }),
  preheader: (preheader: string) => readContent({ preheader }),
  html: (html: string) => readContent({ html }),
  text: (text: string) => readContent({ text }),
  variables: (variables: Record<string, unknown>) => readVariables(variables),
  audience: (audience: AudienceGiven) => readAudience(audience),
  timezone: (timezone: string) => readZone('timezone', timezone),
};

const named = {
  of: ['name', 'subject'] as const,
  check: ({ name, subject }: { name?: string; subject?: string | null }) => {
    if (name === undefined && (subject ?? '') === '') throw invalid('name', 'name or subject is required');
  },
};

export const readNewBroadcast = readEach<typeof CreateBroadcastBody>(readers, [named, time]);
export const readBroadcastChange = readEach<typeof UpdateBroadcastBody>(readers, [time]);
