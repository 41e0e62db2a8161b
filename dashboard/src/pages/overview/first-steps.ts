/** The facts of a workspace. Undefined: not known yet. */
export interface Facts {
  hasSent: boolean | undefined;
  hasKeyInUse: boolean | undefined;
  hasProvider: boolean | undefined;
  hasNewsletter: boolean | undefined;
  hasSentIssue: boolean | undefined;
  /** A domain of its own that can send. null: the operator names the domains, so there is no such step. */
  hasDomain: boolean | null | undefined;
}

export type StepId = 'send' | 'key' | 'domain' | 'provider' | 'newsletter' | 'issue';

export interface Step {
  id: StepId;
  isDone: boolean;
  /** It is for mail that leaves the machine, and mail is captured: the list is finished without it. */
  isOptional: boolean;
}

/** The steps with their state, or nothing while a fact is missing: a step that flashes up as undone would be wrong. */
export function stepsOf(facts: Facts): readonly Step[] | undefined {
  const { hasSent, hasKeyInUse, hasProvider, hasNewsletter, hasSentIssue, hasDomain } = facts;
  if (Object.values(facts).includes(undefined)) return undefined;
  const step = (id: StepId, isDone: boolean | null | undefined, isOptional = false): Step => ({
    id,
    isDone: isDone === true,
    isOptional,
  });
  // A person who tries Posthorn on a laptop has neither, and could never finish the list.
  const isCaptured = hasProvider === false;
  return [
    step('send', hasSent),
    step('key', hasKeyInUse),
    ...(hasDomain === null ? [] : [step('domain', hasDomain, isCaptured)]),
    step('newsletter', hasNewsletter),
    step('issue', hasSentIssue),
    step('provider', hasProvider, isCaptured),
  ];
}

/** How many steps there are to take, and how many of them are left. Optional ones do not count. */
export function countSteps(steps: readonly Step[]): { left: number; total: number } {
  const counted = steps.filter(({ isOptional }) => !isOptional);
  return { left: counted.filter(({ isDone }) => !isDone).length, total: counted.length };
}

const nameOf = (workspaceId: string): string => `posthorn.first-steps.${workspaceId}`;

export function areHidden(workspaceId: string): boolean {
  try {
    return localStorage.getItem(nameOf(workspaceId)) === 'hidden';
  } catch {
    return false;
  }
}

export function hideOrShow(workspaceId: string, isHidden: boolean): void {
  try {
    if (isHidden) localStorage.setItem(nameOf(workspaceId), 'hidden');
    else localStorage.removeItem(nameOf(workspaceId));
  } catch {
    // The choice then lasts as long as the page.
  }
}

const nameOfDone = (workspaceId: string): string => `${nameOf(workspaceId)}.done`;

/** All were done when this browser looked last: their place is not kept while they are read. */
export function haveBeenDone(workspaceId: string): boolean {
  try {
    return localStorage.getItem(nameOfDone(workspaceId)) !== null;
  } catch {
    return false;
  }
}

export function rememberDone(workspaceId: string): void {
  try {
    localStorage.setItem(nameOfDone(workspaceId), 'yes');
  } catch {
    // Their place is kept again.
  }
}
