import { ActionIcon, Autocomplete, Button, Textarea, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { simulateAutomation } from '../../../api/generated/sdk.gen.ts';
import type { Automation } from '../../../api/generated/types.gen.ts';
import { useSession, useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { asLocalInput } from '../../../lib/time.ts';
import { useApiForm } from '../../../lib/use-api-form.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { CurlButton } from '../../../ui/code/CurlButton.tsx';
import { Form } from '../../../ui/form/Form.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Section } from '../../../ui/Section.tsx';
import { OWN_EVENT, TRIGGERS } from '../triggers.ts';
import { DatedOutbox } from './DatedOutbox.tsx';
import classes from './simulate.module.css';
import { bodyOf, type SimulateValues, unreadable } from './simulate-form.ts';

const DAY_MS = 86_400_000;
const EVENTS = TRIGGERS.filter(({ type, startsOnly }) => type !== OWN_EVENT && startsOnly !== true);
const NAMES = EVENTS.map(({ type }) => type);

/** The way of a person through the saved steps, before anybody is mailed. */
export function SimulateTab({ automation, isDirty }: { automation: Automation; isDirty: boolean }) {
  const path = { id: automation.id };
  const { me } = useSession();
  const whyNot = useWhyNot('automations:write');
  const { fields, fail, problem, clear } = useApiForm<SimulateValues>({
    initialValues: { email: me.email, at: '', payload: '', events: [] },
  });
  const { events } = fields.values;
  const write = useWrite({
    call: (values: SimulateValues) => simulateAutomation({ path, body: bodyOf(values), throwOnError: true }),
    changes: [],
    onError: fail,
  });
  const setEvent = (at: number, change: Partial<SimulateValues['events'][number]>) =>
    fields.setFieldValue(
      'events',
      events.map((event, index) => (index === at ? { ...event, ...change } : event)),
    );
  const addEvent = () => {
    const last = events.at(-1)?.at ?? '';
    const from = last === '' ? Date.now() : Date.parse(last);
    const next = asLocalInput(new Date(from + DAY_MS));
    fields.setFieldValue('events', [...events, { at: next, name: 'email_opened', payload: '' }]);
  };
  const body = unreadable(fields.values) === undefined ? bodyOf(fields.values) : {};
  return (
    <div className={classes['desk']}>
      <div className={classes['form']}>
        <Form
          label="Simulate"
          problem={problem}
          onSubmit={fields.onSubmit((values) => {
            clear();
            const wrong = unreadable(values);
            if (wrong === undefined) write.mutate(values);
            else fields.setFieldError(wrong.field, wrong.words);
          })}
          actions={
            <>
              <ActionButton type="submit" loading={write.isPending} disabledReason={whyNot}>
                Simulate
              </ActionButton>
              <CurlButton call={{ method: 'POST', path: `/v1/automations/${path.id}/simulate`, body }} />
            </>
          }
        >
          {isDirty && (
            <Notice tone="warn">
              The changed steps are not saved: this goes through version {automation.version}.
            </Notice>
          )}
          <TextInput
            label="Person"
            description="Their subscription and suppression count as they are now."
            type="email"
            {...fields.getInputProps('email')}
          />
          <TextInput
            label="Begins"
            description="Now when it is empty."
            type="datetime-local"
            {...fields.getInputProps('at')}
          />
          <Textarea
            label="Payload"
            description="What the event brings, as JSON. Templates see its fields."
            placeholder='{"order_id": "42"}'
            autosize
            minRows={2}
            maxRows={10}
            spellCheck={false}
            classNames={{ input: classes['source'] ?? '' }}
            {...fields.getInputProps('payload')}
          />
          {events.map((event, index) => (
            // Events have no id; they are changed in place, so the position names one.
            <fieldset key={index} className={classes['event']}>
              <legend>Event {index + 1}</legend>
              <TextInput
                label="Happens"
                type="datetime-local"
                value={event.at}
                onChange={(change) => setEvent(index, { at: change.currentTarget.value })}
              />
              <Autocomplete
                label="Name"
                placeholder="order.paid"
                data={NAMES}
                value={event.name}
                onChange={(name) => setEvent(index, { name })}
                spellCheck={false}
                maxLength={110}
              />
              <TextInput
                label="Payload"
                placeholder="{}"
                value={event.payload}
                onChange={(change) => setEvent(index, { payload: change.currentTarget.value })}
                spellCheck={false}
                classNames={{ input: classes['source'] ?? '' }}
              />
              <ActionIcon
                variant="subtle"
                aria-label={`Remove event ${index + 1}`}
                onClick={() =>
                  fields.setFieldValue(
                    'events',
                    events.filter((_, at) => at !== index),
                  )
                }
              >
                <X size={15} />
              </ActionIcon>
            </fieldset>
          ))}
          {fields.errors['events'] !== undefined && <Notice tone="bad">{fields.errors['events']}</Notice>}
          <Button
            variant="subtle"
            size="xs"
            className={classes['add'] ?? ''}
            leftSection={<Plus size={14} />}
            onClick={addEvent}
          >
            Add an event that happens on the way
          </Button>
        </Form>
      </div>
      <div className={classes['answer']} aria-live="polite" aria-busy={write.isPending}>
        {write.data === undefined ? (
          <p className={classes['nothing']}>
            Say who, and press Simulate. Each step appears with its time, the branch that was taken, and the mail as it
            would be sent. Nothing is written or sent.
          </p>
        ) : (
          <Section
            title="What would happen"
            description={`Version ${automation.version}, for ${write.variables?.email ?? ''}. Nothing was sent.`}
            plain
          >
            <DatedOutbox simulation={write.data} steps={automation.steps} />
          </Section>
        )}
      </div>
    </div>
  );
}
