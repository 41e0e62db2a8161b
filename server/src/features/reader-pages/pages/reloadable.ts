import { Answer } from '#platform/http/route.ts';
import { type Visitor, wantsPage } from '#platform/http/visitor.ts';

/**
 * The answer to a button: a browser is led to a page that it may load again, which shows the same and does nothing. A
 * program gets the page in place, and so does everybody when it did not work.
 */
export const reloadable = (visitor: Visitor, location: string, shown: Answer): Answer =>
  wantsPage(visitor) && (shown.status ?? 200) === 200 ? new Answer('', { status: 303, headers: { location } }) : shown;
