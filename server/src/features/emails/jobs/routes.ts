import { type Route, route } from '#platform/http/route.ts';
import { cancelJob } from './cancel-job.ts';
import { followBatch } from './follow-batch.ts';
import { describeQueue } from './queue.ts';
import { resumeJob } from './resume-job.ts';
import { followJob, type ScheduledJobPorts } from './scheduled-job.ts';
import { Batch, BatchParams, JobCancelled, JobParams, JobQuery, JobResumed, Queue, SendJob } from './schemas.ts';

export const jobRoutes = (ports: ScheduledJobPorts): readonly Route[] => [
  route({
    method: 'GET',
    path: '/v1/send/:jobId',
    id: 'get_send',
    tag: 'Sending',
    summary: 'Follow a send',
    description: 'The counts of the send, its place in the queue, and a page of its emails.',
    access: { scope: 'emails:read' },
    params: JobParams,
    query: JobQuery,
    response: SendJob,
    errors: [404],
    handler: (ctx, { params, query }) => followJob(ctx, params.jobId, query, ports),
  }),
  route({
    method: 'DELETE',
    path: '/v1/send/:jobId',
    id: 'cancel_send',
    tag: 'Sending',
    summary: 'Cancel the waiting emails of a send',
    description:
      'Emails that have left, or are being handed over at this moment, cannot be stopped and count as ' +
      '`alreadySent`. A send of which nothing waits any more answers 200 too: `cancelled` is 0, or the number that was ' +
      'cancelled before, and the send keeps its status. 409 for an issue of a newsletter: cancel it by its own route.',
    access: { scope: 'emails:send' },
    params: JobParams,
    response: JobCancelled,
    errors: [404, 409],
    handler: (ctx, { params }) => cancelJob(ctx, params.jobId, ports),
  }),
  route({
    method: 'POST',
    path: '/v1/send/:jobId/resume',
    id: 'resume_send',
    tag: 'Sending',
    summary: 'Resume a paused send',
    description:
      'Read `pauseReason` first. The waiting emails go to the end of the queue of their lane. Earlier bounces ' +
      'and complaints do not count towards the next pause. 409 when the send is not paused, or was cancelled. ' +
      'The send of an issue needs `issues:send` too.',
    access: { scope: 'emails:send' },
    params: JobParams,
    response: JobResumed,
    errors: [404, 409],
    handler: (ctx, { params }) => resumeJob(ctx, params.jobId, ports),
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
    handler: (ctx, { params }) => followBatch(ctx, params.id, ports),
  }),
  route({
    method: 'GET',
    path: '/v1/queue',
    id: 'get_queue',
    tag: 'Sending',
    summary: 'Read the length of the queue',
    description:
      'All workspaces share one queue and one rate. In each lane, the workspaces with waiting emails take turns, ' +
      'one email each.',
    access: { scope: 'emails:read' },
    response: Queue,
    handler: (ctx) => describeQueue(ctx),
  }),
];
