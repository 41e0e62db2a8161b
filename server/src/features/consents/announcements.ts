import { announcement } from '#platform/announcements.ts';

/** People of a workspace who asked to be forgotten, by the identities of all addresses that they had. */
export interface ErasedPeople {
  workspaceId: string;
  emails: readonly string[];
  at: Date;
}

/**
 * People were erased from a list, in the transaction that erases them. Features that know the same people in other
 * places answer it. A purge of people who never confirmed is no such news.
 */
export const peopleErased = announcement<ErasedPeople>('consents.people-erased');
