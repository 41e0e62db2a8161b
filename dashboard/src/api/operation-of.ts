import type { QueryKey } from '@tanstack/react-query';

/** The operation of the API that a query calls: generated keys begin with `{ _id: 'listEmails' }`. */
export const operationOf = ([first]: QueryKey): string | undefined =>
  typeof first === 'object' && first !== null && '_id' in first ? String(first._id) : undefined;
