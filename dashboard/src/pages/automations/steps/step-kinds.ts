import {
  Clock,
  GitBranch,
  Hourglass,
  ListMinus,
  ListPlus,
  type LucideIcon,
  Mail,
  OctagonX,
  Puzzle,
  UserRoundMinus,
  UserRoundPen,
  Webhook,
} from 'lucide-react';
import type { ComponentType } from 'react';
import type { AutomationStep, AutomationStepConfig } from '../../../api/generated/types.gen.ts';
import { actionWords } from '../../../lib/action-words.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { conditionWords } from '../conditions.ts';
import { eventWords } from '../triggers.ts';
import type { StepFieldsProps } from './step-fields.ts';

/** Where a branch leads: the key of a step, `end`, or `next`. */
interface BranchWords {
  when: string;
  to: string;
}

/** The fields are loaded when a card is opened: runs and simulations show the words alone. */
const SendEmailStep = lazyPart(() => import('./SendEmailStep.tsx').then((file) => file.SendEmailStep));
const DelayStep = lazyPart(() => import('./DelayStep.tsx').then((file) => file.DelayStep));
const WaitStep = lazyPart(() => import('./WaitStep.tsx').then((file) => file.WaitStep));
const ConditionStep = lazyPart(() => import('./ConditionStep.tsx').then((file) => file.ConditionStep));
const WebhookStep = lazyPart(() => import('./WebhookStep.tsx').then((file) => file.WebhookStep));
const UpdateContactStep = lazyPart(() =>
  import('./contacts/UpdateContactStep.tsx').then((file) => file.UpdateContactStep),
);
const ListStep = lazyPart(() => import('./contacts/ListStep.tsx').then((file) => file.ListStep));
const UnsubscribeStep = lazyPart(() => import('./contacts/UnsubscribeStep.tsx').then((file) => file.UnsubscribeStep));
const OtherStep = lazyPart(() => import('./OtherStep.tsx').then((file) => file.OtherStep));

export interface StepKind {
  label: string;
  description: string;
  icon: LucideIcon;
  /** The key of a new one. */
  key: string;
  fresh: AutomationStepConfig;
  /** `nameOf` gives the name of a template, a newsletter or a list. */
  summary: (config: AutomationStepConfig, nameOf: (id: string) => string | undefined) => string;
  branches?: (config: AutomationStepConfig) => readonly BranchWords[];
  /** It can fail, so that `on_error` decides. */
  mayFail?: true;
  Fields: ComponentType<StepFieldsProps>;
}

const listWords: StepKind['summary'] = ({ list_id: id = '' }, nameOf) =>
  id === '' ? 'Choose a list' : (nameOf(id) ?? 'A list');

function propertiesWords(properties: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(properties).filter((name) => name !== '');
  return names.length === 0 ? 'Choose a property' : names.join(', ');
}

/** The kinds of steps that can be added here. A new one is an entry, with a component for its fields. */
const STEP_KINDS: Readonly<Partial<Record<AutomationStep['type'], StepKind>>> = {
  send_email: {
    label: 'Send an email',
    description: 'One of your templates, to the person',
    icon: Mail,
    key: 'email',
    fresh: { template_id: '', transactional: false },
    summary: ({ template_id: id = '' }, nameOf) => (id === '' ? 'Choose a template' : (nameOf(id) ?? 'A template')),
    mayFail: true,
    Fields: SendEmailStep,
  },
  delay: {
    label: 'Wait',
    description: 'For some days, or until a time of the day',
    icon: Clock,
    key: 'wait',
    fresh: { duration: '1 day' },
    summary: ({ duration, until_local: until, timezone }) =>
      until === undefined ? `For ${duration ?? '…'}` : `Until ${until || '…'}${timezone ? ` in ${timezone}` : ''}`,
    Fields: DelayStep,
  },
  wait_for_event: {
    label: 'Wait for an event',
    description: 'Until it happens to this person, or time is up',
    icon: Hourglass,
    key: 'wait_for',
    fresh: { event: 'email_opened', timeout: '3 days', on_timeout: 'continue' },
    summary: ({ event = '', timeout }) => `${eventWords(event)}, at most ${timeout ?? '…'}`,
    branches: ({ on_timeout: to = 'continue' }) => [
      { when: 'it happens', to: 'next' },
      { when: 'time is up', to: to === 'continue' ? 'next' : to },
    ],
    Fields: WaitStep,
  },
  condition: {
    label: 'Check a condition',
    description: 'Go on when it holds; else go elsewhere',
    icon: GitBranch,
    key: 'check',
    fresh: { field: 'subscriber.status', op: 'equals', value: 'active', else: 'end' },
    summary: conditionWords,
    branches: ({ else: to = 'end' }) => [
      { when: 'it holds', to: 'next' },
      { when: 'else', to },
    ],
    Fields: ConditionStep,
  },
  update_contact: {
    label: 'Change the contact',
    description: 'Set or remove properties of the person',
    icon: UserRoundPen,
    key: 'change',
    fresh: { properties: {} },
    summary: ({ properties = {} }) => propertiesWords(properties),
    mayFail: true,
    Fields: UpdateContactStep,
  },
  add_to_list: {
    label: 'Put on a list',
    description: 'The person becomes a member of a list',
    icon: ListPlus,
    key: 'add',
    fresh: { list_id: '' },
    summary: listWords,
    mayFail: true,
    Fields: ListStep,
  },
  remove_from_list: {
    label: 'Take from a list',
    description: 'The person leaves a list, and gets other mail as before',
    icon: ListMinus,
    key: 'remove',
    fresh: { list_id: '' },
    summary: listWords,
    mayFail: true,
    Fields: ListStep,
  },
  unsubscribe: {
    label: 'Unsubscribe',
    description: 'From a newsletter or a list',
    icon: UserRoundMinus,
    key: 'unsubscribe',
    fresh: { newsletter_id: '' },
    summary: ({ list_id: list, newsletter_id: newsletter = '' }, nameOf) =>
      list === undefined
        ? newsletter === ''
          ? 'Choose a newsletter'
          : `From ${nameOf(newsletter) ?? 'a newsletter'}`
        : listWords({ list_id: list }, nameOf),
    mayFail: true,
    Fields: UnsubscribeStep,
  },
  webhook: {
    label: 'Call a webhook',
    description: 'POST the run to a server of yours',
    icon: Webhook,
    key: 'call',
    fresh: { url: '' },
    summary: ({ url = '' }) => url || 'Give an address',
    mayFail: true,
    Fields: WebhookStep,
  },
  end: {
    label: 'End',
    description: 'The run is completed here',
    icon: OctagonX,
    key: 'stop',
    fresh: {},
    summary: () => 'The run is completed here',
    Fields: () => null,
  },
};

export const STEP_TYPES = Object.keys(STEP_KINDS) as AutomationStep['type'][]; // the keys are of the union

/** The API may have other kinds than this page: their fields are shown, and kept as they are. */
export function kindOf(type: string): StepKind {
  const known: Readonly<Partial<Record<string, StepKind>>> = STEP_KINDS;
  return (
    known[type] ?? {
      label: actionWords(type),
      description: '',
      icon: Puzzle,
      key: type,
      fresh: {},
      summary: () => 'This page cannot change it; the API can.',
      Fields: OtherStep,
    }
  );
}
