import { emailRecords } from '#features/outbox';
import { addUp } from './rates.ts';

const { counts } = emailRecords;
type Found = Awaited<ReturnType<typeof counts.sum>>[number];

/** Rows of providers come one for each class of delay, after each other: one of all classes, with their median. */
export function joinDelays(rows: readonly Found[]): (Found & { median: number | null })[] {
  return [...Map.groupBy(rows, keyOf).values()].flatMap((ofOne) => {
    const [first] = ofOne;
    if (first === undefined) return [];
    const deliveries = new Map(ofOne.map(({ delayClass, delivered }) => [delayClass, delivered]));
    return [{ ...first, ...addUp(ofOne), median: counts.medianOfClasses(deliveries) }];
  });
}

const keyOf = ({ period, domainId, source, newsletterId, broadcastId, templateId, mailboxProvider }: Found): string =>
  JSON.stringify([period, domainId, source, newsletterId, broadcastId, templateId, mailboxProvider]);
