import { type Route, route } from '#platform/http/route.ts';
import { cancelJob } from './cancel-job.ts';
import { followBatch } from './follow-batch.ts';
import { followSend } from './follow-send.ts';
import { describeQueue } from './queue.ts';
import { resumeJob } from './resume-job.ts';
import { Batch, BatchParams, JobCancelled, JobParams, JobQuery, JobResumed, Queue, SendJob } from './schemas.ts';

export const jobRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/send/:jobId',
    id: 'get_send',
    tag: 'Sending',
    summary: 'Follow a send',
    description: 'Counts, place in the queue, and the emails of the send a page at a time.',
    access: { scope: 'emails:read' },
    params: JobParams,
    query: JobQuery,
    response: SendJob,
    errors: [404],
    handler: (ctx, { params, query }) => followSend(ctx, params.jobId, query),
  }),
  route({
    method: 'DELETE',
    path: '/v1/send/:jobId',
    id: 'cancel_send',
    tag: 'Sending',
    summary: 'Cancel what still waits of a send',
    description:
      'What has left, or is leaving at this moment, is not called back and is counted as `alreadySent`. 409 for ' +
      'an issue of a newsletter, which is cancelled by its own route.',
    access: { scope: 'emails:send' },
    params: JobParams,
    response: JobCancelled,
    errors: [404, 409],
    handler: (ctx, { params }) => cancelJob(ctx, params.jobId),
  }),
  route({
    method: 'POST',
    path: '/v1/send/:jobId/resume',
    id: 'resume_send',
    tag: 'Sending',
    summary: 'Let a paused send go on',
    description:
      'What waits of it goes back to the end of its lane, and what bounced or complained so far is not held against it ' +
      'again. 409 when it is not paused, or was cancelled. Look at `pauseReason` first. The send of an issue needs ' +
      '`issues:send` too.',
    access: { scope: 'emails:send' },
    params: JobParams,
    response: JobResumed,
    errors: [404, 409],
    handler: (ctx, { params }) => resumeJob(ctx, params.jobId),
  }),
  route({
    method: 'GET',
    path: '/v1/batch/:id',
    id: 'get_batch',
    tag: 'Sending',
    summary: 'Follow a batch',
    access: { scope: 'emails:read' },
    params: BatchParams,
    response: Batch,
    errors: [404],
    handler: (ctx, { params }) => followBatch(ctx, params.id),
  }),
  route({
    method: 'GET',
    path: '/v1/queue',
    id: 'get_queue',
    tag: 'Sending',
    summary: 'How long the queue is',
    description: 'All workspaces share one queue and one rate; inside a lane each workspace gets one email a round.',
    access: { scope: 'emails:read' },
    response: Queue,
    handler: (ctx) => describeQueue(ctx),
  }),
];
