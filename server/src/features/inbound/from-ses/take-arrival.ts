import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Db } from '#platform/db/database.ts';
import { storableText } from '#platform/db/storable-text.ts';
import { reach } from '#platform/fault-points.ts';
import type { Log } from '#platform/log.ts';
import type { MailDestination } from '#platform/smtp/mail-destination.ts';
import { SmtpReply } from '#platform/smtp/smtp-reply.ts';
import { type Arrival, markRefused, markTaken, postponeArrival } from './queries.ts';
import type { ReceivedObjects } from './received-objects.ts';

export interface ArrivalPorts {
  db: Db;
  clock: Clock;
  log: Log;
  settings: Pick<Settings, 'sesBuckets'>;
  objects: ReceivedObjects;
  /** Where mail for an address goes to, as over SMTP. Throws an SmtpReply when it is refused. */
  destinationOf(address: string): Promise<MailDestination>;
}

/** Servers try for so long when the answer is 4xx. */
const GIVE_UP_MS = 4 * 86_400_000;
const FIRST_WAIT_SECONDS = 15;
const WAIT_SECONDS_MAX = 3_600;
const NOTE_CHARS_MAX = 500;

/** Why recipients do not have a message. `isFinal`: it would be the same at every other time. */
interface Left {
  recipients: readonly string[];
  note: string;
  isFinal: boolean;
}

/**
 * Gives a message that Amazon SES received to the destinations of its recipients, the same as those of mail over SMTP.
 * Nobody hears a refusal, so almost everything is tried again for four days: an address that nobody has, a full store,
 * a message that is too large. Twice is once: destinations know the messages that they have.
 */
export async function takeArrival(ports: ArrivalPorts, arrival: Arrival): Promise<void> {
  const { groups, left } = await groupsOf(ports, arrival.recipients);
  if (groups.size > 0) left.push(...(await give(ports, arrival, [...groups.values()])));
  await reach('inbound.arrival.given');
  await settle(ports, arrival, left);
}

interface Group {
  destination: MailDestination;
  recipients: string[];
}

async function groupsOf(
  ports: ArrivalPorts,
  recipients: readonly string[],
): Promise<{ groups: Map<string, Group>; left: Left[] }> {
  const groups = new Map<string, Group>();
  const left: Left[] = [];
  for (const address of recipients) {
    try {
      const destination = await ports.destinationOf(address);
      const group = groups.get(destination.key) ?? { destination, recipients: [] };
      group.recipients.push(address);
      groups.set(destination.key, group);
    } catch (error) {
      // An operator may yet add the domain.
      left.push({ recipients: [address], note: wordsOf(error), isFinal: false });
    }
  }
  return { groups, left };
}

async function give(ports: ArrivalPorts, arrival: Arrival, groups: readonly Group[]): Promise<Left[]> {
  const everybody = groups.flatMap(({ recipients }) => recipients);
  const bytesMax = Math.max(...groups.map(({ destination }) => destination.messageBytes));
  const read = await readBytes(ports, arrival, bytesMax);
  if ('note' in read) return [{ recipients: everybody, note: read.note, isFinal: false }];
  const left: Left[] = [];
  for (const group of groups) {
    try {
      await accept(group, arrival, read.bytes);
    } catch (error) {
      if (!(error instanceof SmtpReply)) ports.log.warn({ err: error, arrival: arrival.id }, 'mail could not be taken');
      left.push({ recipients: group.recipients, note: wordsOf(error), isFinal: isLoop(error) });
    }
  }
  return left;
}

/** A message that goes round would go on to do so. */
const isLoop = (error: unknown): boolean => error instanceof SmtpReply && error.responseCode === 554;

async function accept({ destination, recipients }: Group, arrival: Arrival, bytes: Buffer): Promise<void> {
  if (bytes.length > destination.messageBytes) throw new SmtpReply(552, tooLarge(bytes.length));
  const held = destination.hold?.(bytes.length);
  if (destination.hold !== undefined && held === undefined) {
    throw new SmtpReply(452, 'Too much mail is being received at this moment');
  }
  try {
    const { envelopeFrom: from, verdicts } = arrival;
    const raw = bytes.subarray(0, destination.keepBytes);
    for (let first = 0; first < recipients.length; first += destination.recipientsMax) {
      const to = recipients.slice(first, first + destination.recipientsMax);
      await destination.accept({ from, to, raw, address: '', clientName: null, verdicts });
    }
  } finally {
    held?.release();
  }
}

async function readBytes(
  { settings, objects }: ArrivalPorts,
  { bytes, region, bucket, objectKey }: Arrival,
  bytesMax: number,
): Promise<{ bytes: Buffer } | { note: string }> {
  if (bytes !== null) return { bytes };
  if (region === null || bucket === null || objectKey === null) return { note: 'the message was not kept' };
  // A stranger who may write to the topic must not have us read what we may read.
  if (!settings.sesBuckets.includes(bucket)) return { note: `the bucket ${bucket} is not in POSTHORN_SES_BUCKETS` };
  try {
    const found = await objects.fetch({ region, bucket, key: objectKey }, bytesMax);
    return 'bytes' in found ? found : { note: tooLarge(found.tooLarge) };
  } catch (error) {
    return { note: `s3://${bucket}/${objectKey} could not be read: ${wordsOf(error)}` };
  }
}

const tooLarge = (bytes: number): string => `The message has ${bytes} bytes, which is more than is taken`;

async function settle({ db, log, clock }: ArrivalPorts, arrival: Arrival, left: readonly Left[]): Promise<void> {
  const { id, tries, receivedAt } = arrival;
  if (left.length === 0) return markTaken(db, id);
  const recipients = left.flatMap((one) => one.recipients);
  const note = storableText([...new Set(left.map((one) => one.note))].join('; ').slice(0, NOTE_CHARS_MAX));
  const isOver = clock.now().getTime() - receivedAt.getTime() > GIVE_UP_MS;
  if (isOver || left.every(({ isFinal }) => isFinal)) {
    log.warn({ arrival: id, recipients: recipients.length, note }, 'mail that Amazon SES received was given up');
    return markRefused(db, id, { recipients, note });
  }
  if (tries === 1) log.warn({ arrival: id, note }, 'mail that Amazon SES received waits; it is tried again');
  const seconds = Math.min(FIRST_WAIT_SECONDS * 2 ** Math.min(tries - 1, 10), WAIT_SECONDS_MAX);
  await postponeArrival(db, id, { recipients, note, seconds });
}

const wordsOf = (error: unknown): string =>
  error instanceof SmtpReply
    ? error.message
    : error instanceof Error
      ? `${error.name}: ${error.message}`
      : String(error);
