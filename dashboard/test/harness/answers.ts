/** States that are hard to reach: the true answers of the API, with a change, in the place of these. */
import type { RunningDashboard } from './dashboard.ts';

type Page = Awaited<ReturnType<RunningDashboard['open']>>['page'];

/**
 * From now on, `GET path` answers with what `change` makes of the true answer. `Answer` is a type of the generated
 * client, so that no page is shown what the API cannot say. `path` is a glob, without the origin.
 */
export const changeAnswer = <Answer>(
  page: Page,
  path: string,
  change: (answer: Answer) => NoInfer<Answer>,
): Promise<unknown> =>
  page.route(`**${path}`, async (route) => {
    // A page has the address of its record, too.
    if (route.request().method() !== 'GET' || route.request().isNavigationRequest()) return route.fallback();
    const response = await route.fetch();
    const answer = (await response.json()) as Answer; // the path answers with it, says the description
    await route.fulfill({ response, json: change(answer) });
  });

/** The page asks the server again. Answers that are still under way are of no interest. */
export const trueAnswers = (page: Page): Promise<void> => page.unrouteAll({ behavior: 'ignoreErrors' });

/** A broadcast or an issue that is paused, but for the one or the other. */
export const STANDS_STILL = {
  send_id: '0197f400-1c2d-7abc-8def-000000000001',
  source: 'broadcast',
  newsletter_id: null,
  issue_id: null,
  paused_at: new Date().toISOString(),
  code: 'reputation',
  reason: 'More than 5 % of it bounced.',
  action: 'resume',
  resumes_at: null,
} as const;
