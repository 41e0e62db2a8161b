/** The parts of the editor that only writing opens, for `shot-list.ts`. */
import { pb } from '../src/lib/paths.ts';
import type { Ids } from './seed.ts';
import type { Page, Shot, Shots } from './shot-list.ts';
import type { TemplateIds } from './seed-templates.ts';

const TABLE = `<h2>The courses of spring</h2><p>Each course is held once, and has room for twelve people.</p>
<table><tr><td><b>Course</b></td><td><b>Day</b></td><td align="right"><b>Price</b></td></tr>
<tr><td>Bread, for beginners</td><td>Monday</td><td align="right">45 €</td></tr>
<tr><td>Soup of what the market has</td><td>Tuesday</td><td align="right">38 €</td></tr>
<tr><td>Everything else</td><td>Friday</td><td align="right">52 €</td></tr></table>
<p>Write to us to keep a place.</p>`;
const PICTURES = `<h2>The new kitchen</h2><p><img src="https://pictures.example.com/oven.png" alt="The oven"></p>
<p>It has a window.</p><p><img src="https://pictures.example.com/window.png" alt="The window"></p>`;
const MINE = `<h2>The courses of spring</h2><p>Each course is held once, and has room for twelve people.</p>
<p>Bread begins on Monday at nine.</p><p>Bring an apron, and a jar for the sourdough.</p>`;
const THEIRS = `<h2>The courses of spring</h2><p>Each course is held twice, and has room for ten people.</p>
<p>Bread begins on Monday at nine.</p><p>Bring an apron.</p><p>Parking is behind the house.</p>`;
const CHANGED = 400;

const lines = (of: string): string =>
  Array.from({ length: CHANGED }, (_, index) => `<p>Line ${index + 1} says what ${of} wrote.</p>`).join('\n');

const body = (page: Page) => page.getByRole('textbox', { name: 'Body of the issue', exact: true });

/** The text of the editor is this html from now on. */
const written = (html: string) => async (page: Page) => {
  await body(page).click();
  await page.keyboard.press('Control+a');
  await body(page).evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', pasted);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, html);
};

/** The cursor is in the table, whose menu is in the bar then. */
const inTable = async (page: Page) => {
  await written(TABLE)(page);
  await body(page).getByText('Bread, for beginners').click();
  await page.getByRole('button', { name: 'Rows and columns' }).waitFor();
};

/** The pages whose record somebody else has saved, for both windows. */
const answered = new WeakSet<Page>();

/** The record as somebody else has saved it: `change` is answered from the first save on, which is refused. */
async function contested(page: Page, record: string, change: object): Promise<void> {
  if (answered.has(page)) return;
  answered.add(page);
  let isRefused = false;
  await page.route(
    ({ pathname }) => pathname.endsWith(record),
    async (route) => {
      if (route.request().method() === 'PATCH') {
        isRefused = true;
        const message = 'It was changed in the meantime.';
        return route.fulfill({ status: 409, json: { error: { name: 'conflict_error', message } } });
      }
      const response = await route.fetch();
      if (!isRefused) return route.fulfill({ response });
      return route.fulfill({
        response,
        headers: { ...response.headers(), etag: '"theirs"' },
        json: { ...((await response.json()) as object), ...change },
      });
    },
  );
}

const twoVersions = async (page: Page) => {
  await page.getByRole('region', { name: 'Two versions' }).getByRole('button', { name: 'Keep yours' }).waitFor();
  await page.evaluate('window.scrollTo(0, 0)');
  // Long versions are drawn a part at a time.
  const more = page.getByRole('button', { name: /^Show \d+ more/ });
  if ((await more.count()) > 0) await more.scrollIntoViewIfNeeded();
};

/** `written` is an issue that no other picture shows. */
export function writingShots(ids: Ids & TemplateIds): Shots {
  const path = pb.issueEdit(ids.newsletter, ids.written);
  const issue = `/newsletters/${ids.newsletter}/issues/${ids.written}`;
  const conflict = (mine: string, theirs: object): Shot => ({
    path,
    open: async (page) => {
      await contested(page, issue, { editor: null, ...theirs });
      await written(mine)(page);
      await twoVersions(page);
    },
  });
  return {
    'issue-conflict': conflict(MINE, { subject: 'The courses of this spring', html_body: THEIRS }),
    'issue-conflict-large': conflict(lines('you'), { html_body: lines('they') }),
    'issue-conflict-layout': conflict(MINE, { html_body: MINE.replaceAll('<p>', '<p style="color:#c00">') }),
    'template-conflict': {
      path: pb.templateEdit(ids.template),
      open: async (page) => {
        await contested(page, `/templates/${ids.template}`, { subject: 'Their subject', html: lines('they') });
        await page.getByRole('textbox', { name: 'Subject', exact: true }).fill('Your subject');
        await page.getByRole('button', { name: 'Save draft', exact: true }).click();
        await twoVersions(page);
      },
    },
    'issue-table': { path, open: inTable },
    'issue-table-menu': {
      path,
      open: async (page) => {
        await inTable(page);
        await page.getByRole('button', { name: 'Rows and columns' }).click();
        await page.getByRole('menu').waitFor();
      },
    },
    'issue-notice-pictures': {
      path,
      open: async (page) => {
        await written(PICTURES)(page);
        await page.getByRole('button', { name: 'Copy them to this server' }).waitFor();
      },
    },
  };
}
