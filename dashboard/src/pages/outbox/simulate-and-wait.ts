import { getEmail, simulateOutcome } from '../../api/generated/sdk.gen.ts';
import type { CapturedEmail, EmailEvent, SimulateOutcomeRequest } from '../../api/generated/types.gen.ts';

const LOOK_EVERY_MS = 200;
const LOOKS_MAX = 25;

const EVENT_OF: Readonly<Record<SimulateOutcomeRequest['outcome'], EmailEvent['type']>> = {
  delay: 'delivery_delay',
  delivery: 'delivery',
  open: 'open',
  click: 'click',
  soft_bounce: 'bounce',
  bounce: 'bounce',
  complaint: 'complaint',
  reject: 'reject',
};

/**
 * Simulates an outcome, and waits until the server has applied it: the call stores the event, and a worker applies it
 * a moment later. An event that is not new, such as a second bounce of one recipient, is not waited for longer than
 * five seconds.
 */
export async function simulateAndWait({ id, email_id }: CapturedEmail, body: SimulateOutcomeRequest) {
  const type = EVENT_OF[body.outcome];
  const before = (await countEvents(email_id, type)) ?? 0;
  const answer = await simulateOutcome({ path: { id }, body, throwOnError: true });
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const now = await countEvents(email_id, type);
    if (now === undefined || now > before) break;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return answer;
}

/** Undefined: it cannot be read, for which the page of the record has the reason. */
async function countEvents(emailId: string, type: EmailEvent['type']): Promise<number | undefined> {
  try {
    const { data } = await getEmail({ path: { id: emailId }, cache: 'no-store', throwOnError: true });
    return data.events.filter((event) => event.type === type).length;
  } catch {
    return undefined;
  }
}
