import { type RecordVersion, recordVersion } from '#platform/http/record-version.ts';
import { lockWithPausedSend } from './get-issue.ts';
import { UpdateIssueBody } from './schemas.ts';

const lock: RecordVersion['lock'] = (ctx, { id = '', issueId = '' }) => lockWithPausedSend(ctx, id, issueId);

export const issueVersion = recordVersion(UpdateIssueBody, lock);

/** Clicks make no other version of the links; a redirect does. */
export const linksVersion: RecordVersion = { fields: ['redirects'], lock };
