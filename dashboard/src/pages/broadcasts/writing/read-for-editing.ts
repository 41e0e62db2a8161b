import { getBroadcast } from '../../../api/generated/sdk.gen.ts';
import type { Broadcast } from '../../../api/generated/types.gen.ts';
import { connection } from '../../../lib/connection.ts';
import { type Draft, draftOf } from './draft.ts';

/** The ground of buttons: a workspace has no colour of its own. */
export const BRAND = { color: '#1f1f26' };

export interface Opened {
  broadcast: Broadcast;
  draft: Draft;
  etag: string;
}

/**
 * The same, if the broadcast still has the state in which the page was opened. Somebody who has scheduled or sent it
 * since has checked its text: nothing is saved over that without a question.
 */
export async function readInState(id: string, status: Broadcast['status']): Promise<Opened> {
  const now = await readForEditing(id);
  if (now.broadcast.status !== status) throw new Error(`The broadcast is ${now.broadcast.status} now.`);
  return now;
}

/** The broadcast as it is saved, with blocks where its HTML was made of blocks. */
export async function readForEditing(id: string): Promise<Opened> {
  const { data, response } = await getBroadcast({ path: { id }, cache: 'no-store', throwOnError: true });
  const { blocksOfHtml } = await connection.load(() => import('../../../lib/blocks/blocks-of-html.ts'));
  const draft = draftOf(data, blocksOfHtml(data.html ?? '', BRAND.color));
  return { broadcast: data, draft, etag: response.headers.get('etag') ?? '' };
}
