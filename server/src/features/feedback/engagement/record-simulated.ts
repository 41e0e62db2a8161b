import { type Db, onCommit } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { insertProviderEvents, type NewProviderEvent } from '../queries/insert-provider-events.ts';
import { feedbackWork } from '../work-signal.ts';
import { clickKeyAt } from './click-key.ts';

type Told = Pick<NewProviderEvent, 'workspaceId' | 'emailId' | 'recipient' | 'at'>;

/** An event that a person asked for, to see what follows from it. `link` of a click is its target. */
export type SimulatedByPerson = Told &
  (
    | { type: 'open' | 'click'; link: string; userAgent: string; ipAddress: string }
    | { type: NewProviderEvent['type']; payload: NewProviderEvent['payload'] }
  );

/** Stores events to be applied, as those of a provider. */
export async function recordSimulated(db: Db, events: readonly SimulatedByPerson[]): Promise<void> {
  await insertProviderEvents(db, events.map(eventOf));
  onCommit(db, () => feedbackWork.tell({}));
}

function eventOf(event: SimulatedByPerson): NewProviderEvent {
  const { workspaceId, emailId, recipient, at, type } = event;
  const rest = { workspaceId, emailId, recipient, at, providerMessageId: null, notBefore: null };
  if ('payload' in event) return { ...rest, type, payload: event.payload, semanticKey: `simulated ${newId()}` };
  const { ipAddress, userAgent, link } = event;
  const seen = { timestamp: at.toISOString(), ipAddress, userAgent, is_bot: false, bot_reason: null, first: false };
  return event.type === 'open'
    ? { ...rest, type: 'open', payload: { open: seen }, semanticKey: `open ${newId()}` }
    : {
        ...rest,
        type: 'click',
        payload: { click: { ...seen, link, linkTags: {} } },
        semanticKey: `${clickKeyAt(at)} ${newId()}`,
      };
}
