import { listSubscriberFacts, type SubscriberFacts } from '#features/newsletters';
import { suppressedAmong } from '#features/suppressions';
import { findWorkspaceZone } from '#features/workspaces';
import type { Db } from '#platform/db/database.ts';

/** Everything that is known of a person when a step is reached. */
export interface Facts {
  email: string;
  payload: Readonly<Record<string, unknown>>;
  /** Of the newsletter of the run; null: the run has none, or the person is not on its list. */
  subscriber: SubscriberFacts | null;
  hasNewsletter: boolean;
  isSuppressed: boolean;
  /** The zone of the workspace. */
  zone: string;
}

/** Whose facts are asked for. */
export interface Person {
  email: string;
  newsletterId: string | null;
  payload: Readonly<Record<string, unknown>>;
}

/** The facts of a page of people of one workspace, in their order: three statements, however many people. */
export async function loadFacts(db: Db, workspaceId: string, people: readonly Person[]): Promise<Facts[]> {
  if (people.length === 0) return [];
  const zone = await findWorkspaceZone(db, workspaceId);
  const suppressed = await suppressedAmong(db, workspaceId, [...new Set(people.map(({ email }) => email))]);
  const onLists = people.flatMap(({ email, newsletterId }) => (newsletterId === null ? [] : [{ email, newsletterId }]));
  const subscribers = await listSubscriberFacts(db, workspaceId, onLists);
  const known = new Map(subscribers.map((one) => [`${one.newsletterId} ${one.email}`, one]));
  return people.map(({ email, newsletterId, payload }) => ({
    email,
    payload,
    subscriber: known.get(`${newsletterId} ${email}`) ?? null,
    hasNewsletter: newsletterId !== null,
    isSuppressed: suppressed.has(email),
    zone,
  }));
}
