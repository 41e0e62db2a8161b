import { createArrivalService } from '#features/inbound';
import type { Service } from '#platform/lifecycle.ts';
import { type FindDestination, firstDestination } from '#platform/smtp/mail-destination.ts';
import { createReceivedObjects } from '#providers/ses/received-objects.ts';
import type { Parts } from '../parts.ts';

/** The service that takes what Amazon SES received; none without a topic that could tell of it. */
export function mailFromSes(parts: Parts, finders: readonly FindDestination[]): Service[] {
  const { settings } = parts;
  if (settings.sesTopicArns.length === 0) return [];
  const objects = createReceivedObjects({ endpoint: settings.sesEndpoint });
  return [createArrivalService({ ...parts, objects, destinationOf: firstDestination(finders) })];
}
