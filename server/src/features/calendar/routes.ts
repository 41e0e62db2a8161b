import { type Route, route } from '#platform/http/route.ts';
import { readCalendar } from './read-calendar.ts';
import { Calendar, CalendarQuery } from './schemas.ts';

export const calendarRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/calendar',
    id: 'get_calendar',
    tag: 'Scheduled emails',
    summary: 'Read what leaves on which day',
    description:
      'Scheduled emails, issues and broadcasts by the days of a zone, the first of each day in order, and how many a ' +
      'day has. Needs the scope `scheduled:read` or `issues:read`; each shows its kind, and `broadcasts:read` shows ' +
      'broadcasts, too.',
    access: { scope: 'scheduled:read', orScope: 'issues:read' },
    query: CalendarQuery,
    response: Calendar,
    example: { query: { start: '2026-11-30', end: '2027-01-04', timezone: 'Europe/Berlin' } },
    handler: (ctx, { query }) => readCalendar(ctx, query),
  }),
];
