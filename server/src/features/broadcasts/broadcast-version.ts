import { type RecordVersion, recordVersion } from '#platform/http/record-version.ts';
import { lockWithPausedSend } from './get-broadcast.ts';
import { UpdateBroadcastBody } from './schemas.ts';

const lock: RecordVersion['lock'] = (ctx, { id = '' }) => lockWithPausedSend(ctx, id);

/** Of the record, for ETag and If-Match. */
export const version = recordVersion(UpdateBroadcastBody, lock);

/** Of the list of its links: clicks make no other version of it, a redirect does. */
export const linksVersion: RecordVersion = { fields: ['redirects'], lock };
