import { disableAutomation, enableAutomation } from '../../api/generated/sdk.gen.ts';
import type { Automation } from '../../api/generated/types.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { faultsOf } from '../../lib/api-error.ts';
import { counted } from '../../lib/number.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { LoadedDialog } from '../../ui/dialog/LoadedDialog.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { toastDone } from '../../ui/toasts.tsx';
import classes from './automations.module.css';
import { RUN_CHANGES } from './automation-state.ts';
import { atField } from './steps/step-faults.ts';
import { triggerWords } from './triggers.ts';

interface Props {
  automation: Automation;
  opened: boolean;
  onClose: () => void;
}

/** Lets people in, or keeps them out: says first who is concerned. */
export function SwitchAutomation({ automation, opened, onClose }: Props) {
  const title = automation.status === 'enabled' ? 'Disable this automation?' : 'Enable this automation?';
  return (
    <LoadedDialog opened={opened} onClose={onClose} title={title} size="md">
      <SwitchForm automation={automation} onClose={onClose} />
    </LoadedDialog>
  );
}

function SwitchForm({ automation, onClose }: Omit<Props, 'opened'>) {
  const { id, status, steps } = automation;
  const isEnabled = status === 'enabled';
  const verb = isEnabled ? 'Disable' : 'Enable';
  const write = useWrite({
    call: () => (isEnabled ? disableAutomation : enableAutomation)({ path: { id }, throwOnError: true }),
    changes: RUN_CHANGES,
    onDone: () => {
      toastDone(isEnabled ? 'It lets nobody in, and its runs are held.' : 'It lets people in from now on.');
      onClose();
    },
  });
  const faults = faultsOf(write.error).flatMap(({ param = '', sentence }) => {
    const [, index = ''] = /^steps\[(\d+)\]/.exec(param) ?? [];
    const step = steps[Number(index || Number.NaN)];
    return step === undefined ? [] : [`Step ${Number(index) + 1}, ${step.key}: ${atField(sentence, param)}`];
  });
  return (
    <Form
      label={`${verb} this automation`}
      problem={faults.length > 0 ? undefined : (write.error ?? undefined)}
      onSubmit={(event) => {
        event?.preventDefault();
        write.mutate(undefined);
      }}
      actions={
        <>
          <ActionButton type="submit" loading={write.isPending}>
            {verb}
          </ActionButton>
          <ActionButton variant="default" onClick={onClose}>
            Cancel
          </ActionButton>
        </>
      }
    >
      {faults.map((fault) => (
        <Notice key={fault} tone="bad">
          {fault}
        </Notice>
      ))}
      <ul className={classes['facts']}>
        {(isEnabled ? offFacts(automation) : onFacts(automation)).map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </Form>
  );
}

function onFacts({ trigger, steps, version, stats }: Automation): string[] {
  const emails = steps.filter(({ type }) => type === 'send_email').length;
  const begins =
    trigger.type === 'api' ? 'Your program starts runs.' : `A run begins for this: ${triggerWords(trigger)}.`;
  return [
    begins,
    `Version ${version} has ${counted(steps.length, 'step')}, ${emails === 0 ? 'none of which mails anybody' : `and ${counted(emails, 'of them sends an email', 'of them send emails')}`}.`,
    'What happened before now starts nothing.',
    ...(stats.active === 0 ? [] : [`${counted(stats.active, 'held run goes', 'held runs go')} on where they were.`]),
  ];
}

const offFacts = ({ stats }: Automation): string[] => [
  'Nobody gets in any more.',
  stats.active === 0
    ? 'No run is under way.'
    : `${counted(stats.active, 'active run is', 'active runs are')} held where they are, until you enable it again. To end them, cancel them.`,
  'Emails that were accepted are still sent.',
];
