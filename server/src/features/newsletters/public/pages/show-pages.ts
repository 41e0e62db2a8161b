import { notFoundPage, strangerContext } from '#features/reader-pages';
import type { Ctx } from '#platform/http/context.ts';
import { Answer } from '#platform/http/route.ts';
import { findNewsletterBySlug } from '../../get-newsletter.ts';
import type { Newsletter } from '../../newsletter.ts';
import { isUuid } from '#platform/ids.ts';
import { articleOf } from '#platform/html/article.ts';
import { fillTimeToken } from '#platform/pages/fill-time.ts';
import { findByWords } from '../search/queries.ts';
import { searchedIn } from '../search/words.ts';
import { ARCHIVE_CACHE, archivePage } from './archive-page.ts';
import { type Asking, cached } from '#platform/pages/cached.ts';
import { jsonFeed, rssFeed } from '#platform/pages/feeds.ts';
import { feedOf } from './archive-feed.ts';
import { allNamedForNobody, forNobody, namedForNobody } from './for-nobody.ts';
import { embeddingOf, type FormState, openFormState } from './form-state.ts';
import { issuePage } from './issue-page.ts';
import { latestIssues } from './latest-issues.ts';
import { nothingHere } from './nothing-here.ts';
import { type PageContext, pageContext } from './page-context.ts';
import { pageLinks } from './page-links.ts';
import { findArchivedIssue, findNeighbours, listArchived, newestWithBodies, pageOfArchive } from './queries.ts';
import { searchPage, typedWords } from './search-page.ts';
import { checkInboxPage, subscribedPage, subscribePage } from './subscribe-page.ts';

const ISSUES_PER_PAGE = 20;
const FEED_ISSUES = 20;
/** A reader's program fetches a feed every hour. An issue is a few KB; one that is larger than this is on its page. */
const FEED_HTML_MAX = 1024 * 1024;
/** An archive that a person leafs through is shorter; a number beyond it is an attempt to make us count. */
const PAGES_MAX = 1_000;
const MOVED_SECONDS = 300;

interface Asked {
  params: { slug: string };
  request: Asking;
}

interface AskedForm extends Asked {
  query: { email?: string; name?: string; source?: string; s?: string; theme?: string; layout?: string };
  isEmbedded: boolean;
}

export const showSubscribePage = (ctx: Ctx, asked: AskedForm): Promise<Answer> =>
  ofForm(ctx, asked, async (context, { problem, ...state }, newsletter) => {
    const { email, name, source } = { ...asked.query, ...state };
    return subscribePage(context, {
      latest: await latestIssues(ctx.db, context, newsletter),
      fillTime: fillTimeToken(ctx.secrets, ctx.clock.now()),
      values: { email: email?.slice(0, 320), name: name?.slice(0, 64), source: source?.slice(0, 100) },
      problem,
    });
  });

/** Where a form leads: a page that may be loaded again. */
export const showCheckInboxPage = (ctx: Ctx, asked: AskedForm): Promise<Answer> =>
  ofForm(ctx, asked, async (context, { email, again }) => checkInboxPage(context, { email, again: again === true }));

export const showSubscribedPage = (ctx: Ctx, asked: AskedForm): Promise<Answer> =>
  ofForm(ctx, asked, async (context, _, newsletter) =>
    subscribedPage(context, await latestIssues(ctx.db, context, newsletter)),
  );

async function ofForm(
  ctx: Ctx,
  asked: AskedForm,
  page: (context: PageContext, state: FormState, newsletter: Newsletter) => Promise<Answer>,
): Promise<Answer> {
  const newsletter = await findNewsletterBySlug(ctx.db, asked.params.slug);
  if (newsletter === undefined) return missing(asked);
  if (hasMoved(newsletter, asked)) return moved(ctx, newsletter, asked);
  const embedded = asked.isEmbedded ? embeddingOf(asked.query) : null;
  const state = openFormState(ctx.secrets, asked.query.s, ctx.clock.now());
  return page(pageContext(ctx.settings, newsletter, { embedded }), state, newsletter);
}

interface AskedArchive extends Asked {
  query: { page?: string; q?: string; before?: string; after?: string };
}

export const showArchivePage = (ctx: Ctx, asked: AskedArchive): Promise<Answer> =>
  inArchive(ctx, asked, async (context, newsletter) => {
    const words = typedWords(asked.query.q);
    if (words !== '') return searched(ctx, asked, { context, newsletter, words });
    const page = /^[1-9]\d{0,3}$/.test(asked.query.page ?? '1') ? Number(asked.query.page ?? 1) : PAGES_MAX + 1;
    if (page > PAGES_MAX) return nothingHere(context);
    const found = await pageOfArchive(ctx.db, newsletter, {
      limit: ISSUES_PER_PAGE + 1,
      offset: (page - 1) * ISSUES_PER_PAGE,
    });
    if (found.length === 0 && page > 1) return nothingHere(context);
    const hasMore = found.length > ISSUES_PER_PAGE;
    const issues = await allNamedForNobody(context, found.slice(0, ISSUES_PER_PAGE));
    return archivePage(context, { issues, page, hasMore });
  });

interface Searching {
  context: PageContext;
  newsletter: Newsletter;
  words: string;
}

async function searched(ctx: Ctx, asked: AskedArchive, { context, newsletter, words }: Searching): Promise<Answer> {
  const { before = null, after = null } = asked.query;
  const behind = after ?? before;
  if (behind !== null && !isUuid(behind)) return nothingHere(context);
  const isNewer = after !== null;
  const wanted = searchedIn(words);
  const ids =
    wanted.length === 0
      ? []
      : await findByWords(ctx.db, newsletter, wanted, { behind, isNewer, limit: ISSUES_PER_PAGE + 1 });
  if (ids.length === 0 && behind !== null) return nothingHere(context);
  const hasMore = ids.length > ISSUES_PER_PAGE;
  const issues = await listArchived(ctx.db, newsletter, ids.slice(0, ISSUES_PER_PAGE));
  return searchPage(context, words, {
    issues: await allNamedForNobody(context, issues),
    hasNewer: isNewer ? hasMore : behind !== null,
    hasOlder: isNewer || hasMore,
  });
}

export const showIssuePage = (ctx: Ctx, asked: Asked & { params: { issueSlug: string } }): Promise<Answer> =>
  inArchive(ctx, asked, async (context, newsletter) => {
    const found = await findArchivedIssue(ctx.db, newsletter, asked.params.issueSlug);
    if (found === undefined) return nothingHere(context);
    const issue = await namedForNobody(context, found);
    const { older, newer } = await findNeighbours(ctx.db, newsletter, issue);
    const address = context.origin + pageLinks(context).issue(issue.slug);
    const article = articleOf(await forNobody(context, issue, [issue.htmlBody, 'html']), address);
    const neighbours = {
      older: older && (await namedForNobody(context, older)),
      newer: newer && (await namedForNobody(context, newer)),
    };
    return issuePage(context, issue, { article, neighbours });
  });

export const showRssFeed = (ctx: Ctx, asked: Asked): Promise<Answer> => inFeed(ctx, asked, rssFeed);
export const showJsonFeed = (ctx: Ctx, asked: Asked): Promise<Answer> => inFeed(ctx, asked, jsonFeed);

const inFeed = (ctx: Ctx, asked: Asked, feed: typeof rssFeed): Promise<Answer> =>
  inArchive(ctx, asked, async (context, newsletter) => {
    const issues = await newestWithBodies(ctx.db, newsletter, { limit: FEED_ISSUES, charsMax: FEED_HTML_MAX });
    return feed(await feedOf(context, issues), ARCHIVE_CACHE);
  });

/** A newsletter that keeps its archive to itself has none: 404, as if it were not there. */
async function inArchive(
  ctx: Ctx,
  asked: Asked,
  page: (context: PageContext, newsletter: Newsletter) => Promise<Answer>,
): Promise<Answer> {
  const newsletter = await findNewsletterBySlug(ctx.db, asked.params.slug);
  if (newsletter === undefined) return missing(asked);
  if (hasMoved(newsletter, asked)) return moved(ctx, newsletter, asked);
  const context = pageContext(ctx.settings, newsletter);
  if (!newsletter.archiveEnabled) return nothingHere(context);
  const answered = await page(context, newsletter);
  return answered.status === undefined ? cached(asked.request, answered) : answered;
}

const hasMoved = ({ slug }: Newsletter, { params }: Asked): boolean => slug !== params.slug.toLowerCase();

/** For good, and yet not for long: the word may be somebody else's tomorrow. */
function moved(ctx: Ctx, { slug }: Newsletter, { request }: Asked): Answer {
  const location = `${ctx.settings.dashboardUrl}/n/${slug}${request.url.replace(/^\/n\/[^/?]*/, '')}`;
  return new Answer('', { status: 301, headers: { location, 'cache-control': `max-age=${MOVED_SECONDS}` } });
}

const missing = ({ request }: Asked): Answer => notFoundPage(strangerContext(request.headers['accept-language']));
