/** The list of an opt-out from all mail to many. */
export const ALL_MAIL = '00000000-0000-0000-0000-000000000000';

/** The rest of a contact who wants no mail and was deleted. */
export interface OptOut {
  addressHash: Buffer;
  listId: string;
  unsubscribedAt: Date;
  /** The person asked to be forgotten. */
  erased: boolean;
}
