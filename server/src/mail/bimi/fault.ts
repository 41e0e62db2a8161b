/** The four things that mailbox providers look at before they show a logo, in the order in which they do. */
export type BimiGroup = 'dmarc' | 'record' | 'svg' | 'certificate';

/** One thing that keeps a logo from being shown. `place` says where it is: a DNS name, a line of a file, a field. */
export interface BimiFault {
  group: BimiGroup;
  code: string;
  place: string;
  message: string;
  remedy: string;
}

/** A function that notes faults of one group. */
export function faultsOf(group: BimiGroup, faults: BimiFault[]) {
  return (code: string, place: string, message: string, remedy: string): void => {
    if (faults.length < MAX_FAULTS) faults.push({ group, code, place, message, remedy });
  };
}

/** A file that is no logo at all could fill an answer with its faults. */
const MAX_FAULTS = 30;
