import { templateForSend } from '#features/templates';
import { readAddress } from '#mail/addresses/read-address.ts';
import { AppError, invalid, unacceptable } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Definition, Step } from '../automation.ts';
import { getAutomation } from '../defining/get-automation.ts';
import { type Ending, endingBy } from '../hearing/ending.ts';
import { correlationOf } from '../hearing/new-run.ts';
import { isFinal, renderEmail } from '../running/automation-email.ts';
import { type Facts, listOf, loadFacts } from '../running/facts.ts';
import { interpret, type Outcome, type Place, stepAt } from '../running/interpret.ts';
import { OWN_EVENTS } from '../step-fields.ts';
import { factsAfter } from './facts-after.ts';

const LONGEST_MS = 366 * 86_400_000;
const YEARS_AWAY_MAX = 10;

interface AskedEvent {
  at: string;
  name: string;
  payload?: Record<string, unknown> | null;
}

interface Asked {
  email: string;
  at?: string | null;
  until?: string | null;
  payload?: Record<string, unknown> | null;
  events?: readonly AskedEvent[] | null;
}

export interface SimulatedStep {
  key: string;
  at: Date;
  branch: string | null;
  subject: string | null;
  html: string | null;
  text: string | null;
  error: string | null;
}

export interface Simulated {
  steps: SimulatedStep[];
  ended: 'completed' | 'exited' | 'failed' | 'waiting';
}

interface SimulatedEvent {
  at: Date;
  type: string;
  payload: Record<string, unknown>;
}

/**
 * The way of a person through the version that new runs take, by the interpreter that runs use. Time goes on at once,
 * the facts of the person are those of now, and nothing is written, sent or called.
 */
export async function simulate(ctx: Ctx, id: string, asked: Asked): Promise<Simulated> {
  const { definition } = await getAutomation(ctx, id);
  const start = asked.at === undefined || asked.at === null ? ctx.clock.now() : new Date(asked.at);
  requireNear('at', start, ctx.clock.now());
  const last = new Date(start.getTime() + LONGEST_MS);
  const until = asked.until === undefined || asked.until === null ? last : new Date(asked.until);
  if (until < start) throw invalid('until', 'until must not be before at');
  if (until > last) throw unacceptable('until', 'until must be at most 366 days after at.');
  for (const [index, { at }] of (asked.events ?? []).entries()) {
    requireNear(`events[${index}].at`, new Date(at), ctx.clock.now());
  }
  const person = {
    email: readAddress(asked.email, 'email').identity,
    newsletterId: definition.trigger.newsletter_id ?? null,
    payload: asked.payload ?? {},
    listId: listOf(definition, asked.payload ?? {}),
  };
  const [facts] = await loadFacts(ctx.db, ctx.workspaceId, [person]);
  if (facts === undefined) throw new Error('a person has no facts');
  const events = (asked.events ?? []).map((event) => ({
    at: new Date(event.at),
    type: typeOf(event.name),
    payload: event.payload ?? {},
  }));
  const ahead = events.filter(({ at }) => at >= start).toSorted((a, b) => a.at.getTime() - b.at.getTime());
  return new Simulation(ctx, definition, { facts, until, ahead }).from(start);
}

/** Zones and calendars of other centuries are nobody's, and a year beyond 9999 has no form in an answer. */
function requireNear(param: string, at: Date, now: Date): void {
  if (Math.abs(at.getTime() - now.getTime()) <= YEARS_AWAY_MAX * LONGEST_MS) return;
  throw unacceptable(param, `${param} must be at most ${YEARS_AWAY_MAX} years from now.`);
}

/** `order.paid` is short for `event:order.paid`. */
const typeOf = (name: string): string =>
  name.startsWith('event:') || OWN_EVENTS.some((own) => own === name) ? name : `event:${name}`;

class Simulation {
  readonly #ctx: Ctx;
  readonly #definition: Definition;
  readonly #until: Date;
  readonly #ahead: SimulatedEvent[];
  readonly #steps: SimulatedStep[] = [];
  #facts: Facts;

  constructor(ctx: Ctx, definition: Definition, of: { facts: Facts; until: Date; ahead: SimulatedEvent[] }) {
    this.#ctx = ctx;
    this.#definition = definition;
    this.#facts = of.facts;
    this.#until = of.until;
    this.#ahead = of.ahead;
  }

  async from(start: Date): Promise<Simulated> {
    const { steps } = this.#definition;
    let now = start;
    let place: Place = { step: steps[0]?.key ?? '', isWaiting: false, heard: null };
    for (;;) {
      const { step } = stepAt(steps, place.step);
      const outcome = await interpret(steps, place, this.#facts, now);
      if (outcome.is === 'waits') {
        const waited = this.#wait(step, outcome, now);
        if ('ended' in waited) return this.#end(waited.ended);
        now = waited.at;
        place = { ...place, isWaiting: true, heard: waited.heard };
        continue;
      }
      if (outcome.is === 'ends') {
        this.#note(step, now, { branch: outcome.reason });
        return this.#end(outcome.status);
      }
      const hasFailed = outcome.is === 'does' && (await this.#do(step, outcome, now));
      if (outcome.is === 'passed') this.#note(step, now, { branch: outcome.branch });
      if (hasFailed && step.on_error !== 'continue') return this.#end('failed');
      if (outcome.go === null) return this.#end('completed');
      place = { step: outcome.go, isWaiting: false, heard: null };
    }
  }

  #note(step: Step, at: Date, more: Partial<SimulatedStep> = {}): void {
    this.#steps.push({ key: step.key, at, branch: null, subject: null, html: null, text: null, error: null, ...more });
  }

  #end = (ended: Simulated['ended']): Simulated => ({ steps: this.#steps, ended });

  /** To the event that ends the run or that it waits for, else to the end of the wait. */
  #wait(
    step: Step,
    wait: Outcome & { is: 'waits' },
    now: Date,
  ): { at: Date; heard: Record<string, unknown> | null } | { ended: Simulated['ended'] } {
    const end = wait.until < this.#until ? wait.until : this.#until;
    for (let event = this.#ahead[0]; event !== undefined && event.at <= end; event = this.#ahead[0]) {
      this.#ahead.shift();
      this.#learn(event);
      const ending = this.#endingBy(event);
      if (ending !== null) {
        this.#note(step, event.at, { branch: ending.reason });
        return { ended: ending.status };
      }
      if (event.type === wait.event && this.#isOfRun(event)) return { at: event.at, heard: event.payload };
    }
    if (wait.until <= this.#until) return { at: wait.until, heard: null };
    this.#note(step, now);
    return { ended: 'waiting' };
  }

  /** Conditions on the payload are about the event, as when a run hears it. */
  #endingBy({ type, payload }: SimulatedEvent): Ending | null {
    const newsletterId = this.#definition.trigger.newsletter_id ?? null;
    return this.#isOfRun({ type, payload })
      ? endingBy(this.#definition, { type, newsletterId }, { ...this.#facts, payload })
      : null;
  }

  #isOfRun({ type, payload }: Pick<SimulatedEvent, 'type' | 'payload'>): boolean {
    const own = correlationOf(this.#definition, { ...this.#facts.payload });
    return own === null || !type.startsWith('event:') || correlationOf(this.#definition, payload) === own;
  }

  /** A person who leaves or confirms in the simulation has done so for its later steps. */
  #learn({ type }: SimulatedEvent): void {
    const { subscriber } = this.#facts;
    const status =
      type === 'newsletter_unsubscribed' ? 'unsubscribed' : type === 'newsletter_confirmed' ? 'active' : null;
    if (subscriber !== null && status !== null) this.#facts = { ...this.#facts, subscriber: { ...subscriber, status } };
  }

  /** True: the step has failed. */
  async #do(step: Step, { effect }: Outcome & { is: 'does' }, now: Date): Promise<boolean> {
    if (effect.is === 'change') this.#facts = factsAfter(this.#facts, effect, this.#definition);
    if (effect.is !== 'email') {
      this.#note(step, now);
      return false;
    }
    try {
      const { config } = effect;
      // The shape of a link that leads nowhere: whoever reads a simulation is somebody else.
      const unsubscribeUrl = config.transactional === true ? null : `${this.#ctx.settings.dashboardUrl}/unsubscribe`;
      const of = { config, facts: this.#facts, isTest: false, loadTemplate: templateForSend, unsubscribeUrl };
      const { subject, html, text } = await renderEmail(this.#ctx, of);
      this.#note(step, now, { subject, html, text });
      return false;
    } catch (error) {
      if (!(error instanceof AppError) || !isFinal(error)) throw error;
      this.#note(step, now, { error: error.message });
      return true;
    }
  }
}
