import { type FactsOfAddress, listContactFacts } from '#features/contacts';
import { listSubscriberFacts, type SubscriberFacts } from '#features/newsletters';
import { suppressedAmong } from '#features/suppressions';
import { findWorkspaceZone } from '#features/workspaces';
import type { Db } from '#platform/db/database.ts';
import { isUuid } from '#platform/ids.ts';
import type { Definition } from '../automation.ts';

/** A contact, in the names that conditions and templates have for it. */
export interface KnownContact {
  id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  name: string | null;
  properties: Readonly<Record<string, unknown>>;
  unsubscribed: boolean;
}

/** Everything that is known of a person when a step is reached. */
export interface Facts {
  email: string;
  payload: Readonly<Record<string, unknown>>;
  /** Of the newsletter of the run; null: the run has none, or the person is not on its list. */
  subscriber: SubscriberFacts | null;
  hasNewsletter: boolean;
  /** null: the person is no contact. */
  contact: KnownContact | null;
  /** The person has left the list whose joining started the run. */
  hasLeftList: boolean;
  isSuppressed: boolean;
  /** The zone of the workspace. */
  zone: string;
}

/** Whose facts are asked for. */
export interface Person {
  email: string;
  newsletterId: string | null;
  payload: Readonly<Record<string, unknown>>;
  /** The list whose joining started the run. */
  listId?: string | null;
}

/** The list that a run belongs to; null: none. */
export function listOf({ trigger }: Pick<Definition, 'trigger'>, payload: Person['payload']): string | null {
  if (trigger.type !== 'list_joined') return null;
  const told = payload['list_id'];
  return typeof told === 'string' && isUuid(told) ? told : (trigger.list_id ?? null);
}

type Run = Omit<Person, 'listId'> & { automationId: string; version: number };

/** A run as a person whose facts are asked for. */
export const personOf =
  (definitionOf: (run: Run) => Pick<Definition, 'trigger'>) =>
  (run: Run): Person => ({
    email: run.email,
    newsletterId: run.newsletterId,
    payload: run.payload,
    listId: listOf(definitionOf(run), run.payload),
  });

const knownContact = ({
  id,
  email,
  firstName,
  lastName,
  name,
  properties,
  unsubscribed,
}: FactsOfAddress): KnownContact => ({
  id,
  email,
  first_name: firstName,
  last_name: lastName,
  name: name ?? ([firstName, lastName].filter((part) => part !== null).join(' ') || null),
  properties,
  unsubscribed,
});

/** The facts of a page of people of one workspace, in their order: four statements, however many people. */
export async function loadFacts(db: Db, workspaceId: string, people: readonly Person[]): Promise<Facts[]> {
  if (people.length === 0) return [];
  const zone = await findWorkspaceZone(db, workspaceId);
  const suppressed = await suppressedAmong(db, workspaceId, [...new Set(people.map(({ email }) => email))]);
  const onLists = people.flatMap(({ email, newsletterId }) => (newsletterId === null ? [] : [{ email, newsletterId }]));
  const subscribers = await listSubscriberFacts(db, workspaceId, onLists);
  const known = new Map(subscribers.map((one) => [`${one.newsletterId} ${one.email}`, one]));
  const contacts = await listContactFacts(
    db,
    workspaceId,
    people.map(({ email, listId = null }) => ({ email, listId })),
  );
  const contactOf = new Map(contacts.map((one) => [`${one.listId} ${one.email}`, one]));
  return people.map(({ email, newsletterId, payload, listId = null }) => ({
    email,
    payload,
    subscriber: known.get(`${newsletterId} ${email}`) ?? null,
    hasNewsletter: newsletterId !== null,
    ...ofContact(contactOf.get(`${listId} ${email}`)),
    isSuppressed: suppressed.has(email),
    zone,
  }));
}

const ofContact = (found: FactsOfAddress | undefined): Pick<Facts, 'contact' | 'hasLeftList'> => ({
  contact: found === undefined ? null : knownContact(found),
  hasLeftList: found?.hasLeftList === true,
});
