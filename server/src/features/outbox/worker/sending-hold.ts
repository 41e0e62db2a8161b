import { beginHold, endHold, findHold } from './queries/hold.ts';

/** The hold of a whole instance: emails are accepted and wait, and none of any lane leaves (decision 0144). */
export const sendingHold = {
  find: findHold,
  begin: beginHold,
  end: endHold,
  /** For everybody who asks why nothing leaves; the operator of the instance learns more. */
  sentence:
    'Sending is held: the database of this server was restored or copied. It continues when an operator has confirmed.',
};
