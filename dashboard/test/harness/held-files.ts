import type { RunningDashboard } from './dashboard.ts';

type Page = Awaited<ReturnType<RunningDashboard['open']>>['page'];

/** A script that the head of the page at `url` does not name waits for the gate. `page` has a context of its own. */
export async function holdLaterFiles(page: Page, url: string, gate: () => Promise<void>): Promise<void> {
  const html = await (await page.request.get(url, { headers: { accept: 'text/html' } })).text();
  await page.context().route('**/assets/*.js', async (route) => {
    if (!html.includes(new URL(route.request().url()).pathname)) await gate();
    await route.continue();
  });
}
