import { htmlToText } from '#mail/message/html-to-text.ts';
import type { Service } from '#platform/lifecycle.ts';
import { loop } from '#platform/work/loop.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import { selectNewsletter } from '../../queries.ts';
import { forNobody, namedForNobody } from '../pages/for-nobody.ts';
import { pageContext } from '../pages/page-context.ts';
import { insertWords, pageWithoutWords, type WithoutWords } from '../search/queries.ts';
import { wordsOf } from '../search/words.ts';

/** An issue that has just come is read, and not searched for. */
const EVERY_MS = 10_000;
/** A body is a megabyte at most. */
const ISSUES_AT_ONCE = 5;
/** A text of about 30,000 words has as many. PostgreSQL takes a megabyte of them. */
const WORDS_MAX = 5_000;

type Ports = Pick<NewslettersWiring, 'db' | 'log' | 'settings'>;

/**
 * Notes the words of the issues that were sent, as nobody in particular reads them. Returns how many. An issue whose
 * words cannot be made out is found by none, and keeps no other from being found.
 */
export async function noteWords(ports: Ports, goOn: () => boolean = () => true): Promise<number> {
  let noted = 0;
  for (;;) {
    const page = await pageWithoutWords(ports.db, ISSUES_AT_ONCE);
    for (const issue of page) {
      await insertWords(ports.db, issue, await readWords(ports, issue));
      noted += 1;
      if (!goOn()) return noted;
    }
    if (page.length < ISSUES_AT_ONCE) return noted;
  }
}

async function readWords({ db, log, settings }: Ports, issue: WithoutWords): Promise<string[]> {
  const newsletter = await selectNewsletter(db, issue.workspaceId, issue.newsletterId);
  if (newsletter === undefined) return []; // deleted meanwhile, and its issues with it
  try {
    const context = pageContext(settings, newsletter);
    const { subject, preheader } = await namedForNobody(context, issue);
    const body = await forNobody(context, issue, [issue.htmlBody, 'html']);
    return wordsOf(`${subject}\n${preheader ?? ''}\n${htmlToText(body)}`, WORDS_MAX);
  } catch (error) {
    log.error({ err: error, issue: issue.id }, 'an issue cannot be found by its words');
    return [];
  }
}

/** Any number of processes may do it. */
export const wordsService = (wiring: NewslettersWiring): Service =>
  loop({
    name: 'words of sent issues',
    everyMs: EVERY_MS,
    clock: wiring.clock,
    log: wiring.log,
    failure: 'sent issues cannot be found by their words yet; trying again',
    round: (goOn) => noteWords(wiring, goOn),
  });
