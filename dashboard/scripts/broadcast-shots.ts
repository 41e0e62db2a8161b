/** The pages of broadcasts, for `shot-list.ts`. */
import { pb } from '../src/lib/paths.ts';
import type { BroadcastIds } from './seed-broadcasts.ts';
import type { Page, Shots } from './shot-list.ts';

const pressed = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click();
  await page.getByRole('dialog').waitFor();
};

export function broadcastShots(ids: BroadcastIds): Shots {
  const edit = pb.broadcastEdit(ids.broadcastDraft);
  const of = (id: string, tab: string) => `${pb.broadcast(id)}?tab=${tab}`;
  return {
    broadcasts: pb.broadcasts(),
    'broadcasts-filtered': `${pb.broadcasts()}?search=nothing-like-this`,
    'broadcasts-new': { path: `${pb.broadcasts()}?add=1`, open: (page) => page.getByRole('dialog').waitFor() },
    'broadcast-edit': edit,
    'broadcast-edit-empty': pb.broadcastEdit(ids.broadcastEmpty),
    'broadcast-preview': `${edit}?view=preview&contact=${ids.broadcastContact}`,
    'broadcast-test': { path: edit, open: pressed('Send a test') },
    'broadcast-schedule': { path: edit, open: pressed('Schedule') },
    'broadcast-schedule-local': {
      path: edit,
      open: async (page) => {
        await pressed('Schedule')(page);
        const day = new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10);
        await page.getByLabel('Day and time').fill(`${day}T09:00`);
        await page.getByRole('switch').check();
        await page.getByText(/^It leaves at|^All /).waitFor();
      },
    },
    'broadcast-send': { path: edit, open: pressed('Send now') },
    'broadcast-scheduled': pb.broadcast(ids.broadcastLater),
    'broadcast-cancel': { path: pb.broadcast(ids.broadcastLater), open: pressed('Cancel the broadcast') },
    'broadcast-paused': pb.broadcast(ids.broadcastPaused),
    broadcast: pb.broadcast(ids.broadcast),
    'broadcast-recipients': of(ids.broadcast, 'recipients'),
    'broadcast-links': of(ids.broadcast, 'links'),
    'broadcast-content': of(ids.broadcast, 'content'),
    'broadcast-history': of(ids.broadcast, 'history'),
    'broadcast-correct': { path: pb.broadcast(ids.broadcast), open: pressed('Write a correction') },
    'broadcast-redirect': { path: of(ids.broadcast, 'links'), open: pressed(/^Redirect /) },
    'broadcast-follow-up': pb.broadcast(ids.broadcastFollowUp),
    'broadcast-follow-up-edit': pb.broadcastEdit(ids.broadcastFollowUp),
    'broadcast-paused-edit': pb.broadcastEdit(ids.broadcastPaused),
  };
}
