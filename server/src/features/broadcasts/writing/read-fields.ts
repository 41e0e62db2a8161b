import { readEach } from '#platform/http/fields/read-meaning.ts';
import { readPlannedTime } from '#platform/time/planned-time.ts';
import { readAnyZone } from '#platform/time/zones.ts';
import { invalid } from '#platform/errors/app-error.ts';
import { type AudienceGiven, readAudience } from '../audience/audience.ts';
import type { CreateBroadcastBody, SendBroadcastBody, UpdateBroadcastBody } from '../schemas.ts';
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
  timezone: (timezone: string) => readAnyZone('timezone', timezone),
};

/** Of the form of a time it takes no zone to judge; the verb reads it in the workspace's. */
const time = {
  of: ['scheduled_for'] as const,
  check: ({ scheduled_for: text }: { scheduled_for?: string | null }) =>
    text == null
      ? null
      : readPlannedTime({ param: 'scheduled_for', text, timezone: null, zoneByDefault: 'UTC', now: new Date(0) }),
};

const named = {
  of: ['name', 'subject'] as const,
  check: ({ name, subject }: { name?: string; subject?: string | null }) => {
    if (name === undefined && (subject ?? '') === '') throw invalid('name', 'name or subject is required');
  },
};

export const readNewBroadcast = readEach<typeof CreateBroadcastBody>(readers, [named, time]);
export const readBroadcastChange = readEach<typeof UpdateBroadcastBody>(readers, [time]);
const finish = {
  of: ['finish_by'] as const,
  check: ({ finish_by: text }: { finish_by?: string | null }) =>
    text == null
      ? null
      : readPlannedTime({ param: 'finish_by', text, timezone: null, zoneByDefault: 'UTC', now: new Date(0) }),
};

export const readSendFields = readEach<typeof SendBroadcastBody>({ timezone: readers.timezone }, [time, finish]);
