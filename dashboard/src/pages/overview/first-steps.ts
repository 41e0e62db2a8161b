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
}

/** The steps with their state, or nothing while a fact is missing: a step that flashes up as undone would be wrong. */
export function stepsOf(facts: Facts): readonly Step[] | undefined {
  const { hasSent, hasKeyInUse, hasProvider, hasNewsletter, hasSentIssue, hasDomain } = facts;
  if (Object.values(facts).includes(undefined)) return undefined;
  return [
    { id: 'send', isDone: hasSent === true },
    { id: 'key', isDone: hasKeyInUse === true },
    ...(hasDomain === null ? [] : [{ id: 'domain' as const, isDone: hasDomain === true }]),
    { id: 'newsletter', isDone: hasNewsletter === true },
    { id: 'issue', isDone: hasSentIssue === true },
    { id: 'provider', isDone: hasProvider === true },
  ];
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
