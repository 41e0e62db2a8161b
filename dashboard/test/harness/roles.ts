import type { WatchedPage } from '../../../server/test/harness/browser.ts';

type Page = WatchedPage['page'];

/** They read, show or copy. */
const HARMLESS = [
  /^Copy/,
  /curl/i,
  /^Columns/,
  /^Show/,
  /^Hide /,
  /^Load /,
  /^View/,
  /^Download/,
  /^Choose the file/,
  /^Export$/,
];

interface Control {
  name: string;
  reason: string | undefined;
}

/** Every button of the page, with its reason when it is disabled, but those that only read. */
async function actionsOf(page: Page): Promise<Control[]> {
  const buttons = await page.locator('main button:visible, main [role=button]:visible').evaluateAll((all: Element[]) =>
    all.map((one) => ({
      name: one.getAttribute('aria-label') ?? one.textContent ?? '',
      isDisabled: one.getAttribute('aria-disabled') === 'true' || one.hasAttribute('disabled'),
      reason: document.getElementById(one.getAttribute('aria-describedby') ?? '')?.textContent ?? '',
      role: one.getAttribute('role') ?? '',
      // It opens or closes a part of the page, and no menu.
      isDisclosure: one.hasAttribute('aria-expanded') && !one.hasAttribute('aria-haspopup'),
    })),
  );
  return buttons
    .filter(
      ({ name, role, isDisclosure }) =>
        role !== 'tab' && !isDisclosure && !HARMLESS.some((pattern) => pattern.test(name)),
    )
    .map(({ name, isDisabled, reason }) => ({ name, reason: isDisabled ? reason : undefined }));
}

/** The actions of the page that this role may do, or that do not say why not; and those of `atLeast` that it lacks. */
export async function faultsOfRole(page: Page, role: string, atLeast: readonly string[] = []): Promise<string[]> {
  // Some parts of a page come a moment later than others.
  for (const name of atLeast) {
    const one = page.locator('main').getByRole('button', { name, exact: true }).first();
    await one.waitFor({ timeout: 10_000 }).catch(() => undefined); // that it lacks is said below
  }
  const actions = await actionsOf(page);
  const { pathname } = new URL(page.url());
  return [
    ...atLeast.filter((name) => !actions.some((one) => one.name === name)).map((name) => `${pathname} lacks ${name}`),
    ...actions
      .filter(({ reason }) => !reason?.startsWith(`Your role (${role}) may not`))
      .map(({ name, reason }) => `${pathname}: ${name}: ${reason ?? 'is not disabled'}`),
  ];
}

/** A request that somebody makes in their browser without the page: “403 and the message of the answer”. */
export const byHand = (page: Page, method: string, path: string, body?: unknown): Promise<string> =>
  page.evaluate(
    async ([toMethod, toPath, toBody]) => {
      const headers = {
        'content-type': 'application/json',
        'x-posthorn-csrf': '1',
        'x-workspace-id': sessionStorage.getItem('posthorn.workspace') ?? '',
      };
      const answer = await fetch(toPath, {
        method: toMethod,
        headers,
        ...(toBody === undefined ? {} : { body: toBody }),
      });
      return `${answer.status} ${((await answer.json()) as { message: string }).message}`;
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
  );
