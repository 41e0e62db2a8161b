import { readEach } from '#platform/http/fields/read-meaning.ts';
import { readPlannedTime } from '#platform/time/planned-time.ts';
import { readZone } from '#platform/time/zones.ts';
import type { CreateIssueBody, ScheduleIssueBody, UpdateIssueBody } from '../schemas.ts';
import type { Issue } from '../issue.ts';
import { readContent } from './issue-input.ts';

const readers = {
  subject: (subject: string) => readContent({ subject }),
  preheader: (preheader: string) => readContent({ preheader }),
  html_body: (html_body: string) => readContent({ html_body }),
  text_body: (text_body: string) => readContent({ text_body }),
  editor: (editor: NonNullable<Issue['editor']>) => readContent({ editor }),
  timezone: (timezone: string) => readZone('timezone', timezone),
};
/** Of the form of a time it takes no zone to judge; the verb reads it in the newsletter's. */
const time = {
  of: ['scheduled_for'] as const,
  check: ({ scheduled_for: text }: { scheduled_for?: string | null }) =>
    text == null
      ? null
      : readPlannedTime({ param: 'scheduled_for', text, timezone: null, zoneByDefault: 'UTC', now: new Date(0) }),
};
export const readNewIssue = readEach<typeof CreateIssueBody>(readers, [time]);
export const readIssueChange = readEach<typeof UpdateIssueBody>(readers, [time]);
export const readScheduleFields = readEach<typeof ScheduleIssueBody>({ timezone: readers.timezone }, [time]);
