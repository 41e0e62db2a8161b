import type { Evidence } from './evidence.ts';
import type { SubscribersCtx } from './subscribers-ctx.ts';

export interface UnsubscribingEverywhere {
  /** The identity of the address. */
  email: string;
  issueId: string | null;
  evidence: Evidence;
}

/** Takes an address off every list of the workspace, and returns from how many. */
export async function unsubscribeEverywhere(_ctx: SubscribersCtx, _asked: UnsubscribingEverywhere): Promise<number> {
  throw new Error('not there yet');
}
