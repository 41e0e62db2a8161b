import { bulkSends } from '#features/outbox';
import { type Route, route } from '#platform/http/route.ts';
import { getNewsletter } from '../../get-newsletter.ts';
import { getIssue } from '../get-issue.ts';
import { Course } from '../issue-stats.ts';
import { IssueParams } from '../schemas.ts';

export const issueReadingRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/newsletters/:id/issues/:issueId/course',
    id: 'get_issue_course',
    tag: 'Issues',
    summary: 'Read when an issue was opened and clicked',
    description:
      'How many recipients opened it and clicked, each once and at their first time, by the hours or days since it ' +
      'began. Machines are not counted. `uncounted` opens were before this was counted by time. The counts stay when ' +
      'retention removes the emails.',
    access: { scope: 'issues:read' },
    params: IssueParams,
    query: bulkSends.CourseQuery,
    response: Course,
    errors: [404],
    example: { query: { granularity: 'hour', timezone: 'Europe/Berlin' } },
    handler: async (ctx, { params, query }) =>
      bulkSends.readCourse(ctx, await getIssue(ctx, await getNewsletter(ctx, params.id), params.issueId), query),
  }),
];
