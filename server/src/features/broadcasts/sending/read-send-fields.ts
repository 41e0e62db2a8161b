import { readEach } from '#platform/http/fields/read-meaning.ts';
import { readPlannedTime } from '#platform/time/planned-time.ts';
import { readZone } from '#platform/time/zones.ts';
import type { SendBroadcastBody } from '../schemas.ts';

/** Of the form of a time it takes no zone to judge; the verb reads it in the workspace's. */
const judgeForm = (param: string, text: string | null | undefined) =>
  text == null ? null : readPlannedTime({ param, text, timezone: null, zoneByDefault: 'UTC', now: new Date(0) });

export const time = {
  of: ['scheduled_for'] as const,
  check: ({ scheduled_for: text }: { scheduled_for?: string | null }) => judgeForm('scheduled_for', text),
};

const finish = {
  of: ['finish_by'] as const,
  check: ({ finish_by: text }: { finish_by?: string | null }) => judgeForm('finish_by', text),
};

const timezone = (zone: string) => readZone('timezone', zone);

export const readSendFields = readEach<typeof SendBroadcastBody>({ timezone }, [time, finish]);
