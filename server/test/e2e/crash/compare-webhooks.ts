import type { KnownEndpoint, ReceivedDelivery, StoredDelivery, WebhookRecords } from './webhook-records.ts';

export interface WebhookComparison {
  /** An event and an endpoint that is to be told of it. */
  expected: number;
  /** Requests at the receiver, repetitions included. */
  received: number;
  /** Emails that a 2xx named and whose acceptance is no event. */
  unknownEmails: string[];
  /** Expected, and never received; as `endpoint event`. */
  lost: string[];
  /** Received by an endpoint that was not to be told, or of no event there is. */
  unwanted: string[];
  /** The same attempt of the same delivery, received again: made by a process that died before it was on record. */
  repeated: number;
  /** The most repetitions at one endpoint. */
  repeatedMax: number;
  /** Attempts after a failed one: those that the waits between attempts bring about. */
  retried: number;
  /** Events of which two copies differ, at whichever endpoints. */
  changedBodies: string[];
  /** Succeeded by the database, and by no answer of the receiver. */
  falselySucceeded: string[];
  /** Neither succeeded nor failed at the end. */
  undecided: string[];
  /** Given up. */
  failed: string[];
  /** An event that has two deliveries to one endpoint, under two numbers. */
  doubled: string[];
  /** The most attempts of one delivery. */
  attemptsMax: number;
}

/** The result that every run must have, whatever was done to it, when the receiver takes everything in the end. */
export const WEBHOOKS_FLAWLESS = {
  unknownEmails: [],
  lost: [],
  unwanted: [],
  changedBodies: [],
  falselySucceeded: [],
  undecided: [],
  failed: [],
  doubled: [],
} satisfies Partial<WebhookComparison>;

/** Compares the three accounts. The expectation comes from events and endpoints, never from deliveries. */
export function compareWebhooks({ told, events, endpoints, received, deliveries }: WebhookRecords): WebhookComparison {
  const wanted = new Set(
    endpoints.flatMap((endpoint) =>
      events.filter(({ type }) => isTold(endpoint, type)).map((event) => `${endpoint.name} ${event.id}`),
    ),
  );
  const arrived = Map.groupBy(received, placeOf);
  const attempts = Map.groupBy(received, (one) => `${one.endpoint} ${one.deliveryId} ${one.attempt}`);
  const copies = Map.groupBy(received, (one) => one.eventId);
  const repetitions = endpoints.map(({ name }) => {
    const own = [...attempts.values()].filter(([first]) => first?.endpoint === name);
    return own.reduce((sum, same) => sum + same.length - 1, 0);
  });
  const nameOf = new Map(endpoints.map(({ id, name }) => [id, name]));
  const accepted = new Set(events.filter(({ type }) => type === 'send').map(({ emailId }) => emailId));
  const byPair = Map.groupBy(deliveries, (one) => `${nameOf.get(one.webhookId)} ${one.eventId}`);

  return {
    expected: wanted.size,
    received: received.length,
    unknownEmails: told.filter((id) => !accepted.has(id)),
    lost: [...wanted].filter((place) => !arrived.has(place)),
    unwanted: [...arrived.keys()].filter((place) => !wanted.has(place)),
    repeated: repetitions.reduce((sum, count) => sum + count, 0),
    repeatedMax: Math.max(0, ...repetitions),
    retried: [...attempts.values()].filter(([first]) => (first?.attempt ?? 1) > 1).length,
    changedBodies: [...copies]
      .filter(([, same]) => new Set(same.map((one) => one.bodyHash)).size > 1)
      .map(([id]) => id),
    falselySucceeded: deliveries
      .filter((one) => one.status === 'succeeded' && !wasTaken(one, nameOf.get(one.webhookId), arrived))
      .map(({ id }) => id),
    undecided: deliveries.filter(({ status }) => status === 'pending').map(({ id }) => id),
    failed: deliveries.filter(({ status }) => status === 'failed' || status === 'discarded').map(({ id }) => id),
    doubled: [...byPair].filter(([, same]) => same.length > 1).map(([pair]) => pair),
    attemptsMax: Math.max(0, ...deliveries.map(({ attempt }) => attempt)),
  };
}

const isTold = ({ enabled, events }: KnownEndpoint, type: string): boolean =>
  enabled && (events.includes('*') || events.includes(type));

const placeOf = (one: ReceivedDelivery): string => `${one.endpoint} ${one.eventId}`;

function wasTaken(
  delivery: StoredDelivery,
  name: string | undefined,
  arrived: ReadonlyMap<string, readonly ReceivedDelivery[]>,
): boolean {
  const copies = arrived.get(`${name} ${delivery.eventId}`) ?? [];
  return copies.some(
    ({ deliveryId, answered }) => deliveryId === delivery.id && answered !== null && answered >= 200 && answered < 300,
  );
}
