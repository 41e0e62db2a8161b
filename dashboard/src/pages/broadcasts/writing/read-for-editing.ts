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

/** The broadcast as it is saved, with blocks where its HTML was made of blocks. */
export async function readForEditing(id: string): Promise<Opened> {
  const { data, response } = await getBroadcast({ path: { id }, cache: 'no-store', throwOnError: true });
  const { blocksOfHtml } = await connection.load(() => import('../../../lib/blocks/blocks-of-html.ts'));
  const draft = draftOf(data, blocksOfHtml(data.html ?? '', BRAND.color));
  return { broadcast: data, draft, etag: response.headers.get('etag') ?? '' };
}
