/**
 * Misbehaviour of the sink, chosen by rules in their order and one seeded stream of random numbers, so that a run with
 * the same seed meets the same faults at the same messages (while one message at a time is under way).
 */

/** Where in the dialogue it happens. `dot`: when the whole message has arrived. */
export type FaultPoint = 'connect' | 'ehlo' | 'auth' | 'mail' | 'rcpt' | 'data' | 'body' | 'dot';

export type FaultAct =
  /** Ends the connection without a word; at `dot` the message was not taken. */
  | { act: 'drop' }
  /** Only at `dot`: the message is taken and recorded, and the connection ends before the answer. */
  | { act: 'take-and-drop' }
  /** Only at `dot`: the message is taken and recorded, and no answer ever comes. */
  | { act: 'take-and-hang' }
  /** Says nothing more and keeps the connection open. */
  | { act: 'hang' }
  /** Answers this instead ("452 4.3.1 full"); 421 also ends the connection. At `dot` the message was not taken. */
  | { act: 'reply'; reply: string }
  /** Waits so long and goes on as usual. */
  | { act: 'slow'; ms: number }
  /** Waits for this and goes on as usual: everything that was held goes on at once. */
  | { act: 'hold'; until: Promise<unknown> };

export type FaultRule = { at: FaultPoint } & FaultAct & {
    /** In how many of the chances it happens, 0 to 1; always when left out. */
    share?: number;
    /** At most so often. */
    times?: number;
    /** Passes the first so many chances. */
    after?: number;
    /** Only for this recipient (at rcpt) or sender (at mail). */
    address?: string;
  };

export interface FaultPlan {
  seed?: number;
  rules: FaultRule[];
}

export interface FaultChooser {
  choose(at: FaultPoint, address?: string): FaultRule | undefined;
}

export function chooseFaults(plan: FaultPlan): FaultChooser {
  const random = seededRandom(plan.seed ?? 1);
  const used = new Map<FaultRule, { chances: number; hits: number }>();
  return {
    choose(at, address) {
      for (const rule of plan.rules) {
        if (rule.at !== at || (rule.address !== undefined && rule.address !== address)) continue;
        const count = used.get(rule) ?? { chances: 0, hits: 0 };
        used.set(rule, count);
        count.chances += 1;
        if (count.chances <= (rule.after ?? 0) || count.hits >= (rule.times ?? Number.POSITIVE_INFINITY)) continue;
        if (rule.share !== undefined && random() >= rule.share) continue;
        count.hits += 1;
        return rule;
      }
      return undefined;
    },
  };
}

/** mulberry32: small, good enough to spread faults, the same on every machine. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
