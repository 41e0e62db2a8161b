import type { WebhookAttempt, WebhookDelivery } from '../../../api/generated/types.gen.ts';
import { duration } from '../../../lib/time.ts';
import { CodeBlock } from '../../../ui/code/CodeBlock.tsx';
import { JsonView } from '../../../ui/code/JsonView.tsx';
import { TimeLine } from '../../../ui/data/TimeLine.tsx';
import { Section } from '../../../ui/Section.tsx';
import { requestHeadersOf } from '../webhook-state.ts';
import classes from '../webhooks.module.css';

export function DeliveryAttempts({ delivery: { attempts } }: { delivery: WebhookDelivery }) {
  return (
    <Part title="Attempts">
      {attempts.length === 0 ? (
        <p className={classes['note']}>There was no attempt yet.</p>
      ) : (
        <TimeLine
          label="Attempts"
          entries={attempts.map((attempt, index) => ({
            id: `${index}`,
            at: attempt.at,
            title: `${index + 1}. ${titleOf(attempt)}`,
            tone: isSuccess(attempt) ? ('ok' as const) : ('bad' as const),
            detail: attempt.error ?? undefined,
          }))}
        />
      )}
    </Part>
  );
}

const isSuccess = ({ status }: WebhookAttempt): boolean => status !== null && status >= 200 && status < 300;

function titleOf({ status, response_time_ms: ms }: WebhookAttempt): string {
  const what = status === null || status === 0 ? 'No answer' : `Answered ${status}`;
  return ms === null ? what : `${what} in ${duration(ms)}`;
}

export function DeliveryRequest({ delivery }: { delivery: WebhookDelivery }) {
  return (
    <>
      <Part title="Request headers">
        <CodeBlock code={requestHeadersOf(delivery)} label="the request headers" wrap />
        <p className={classes['note']}>Of the last attempt. Signatures are made for each attempt and not kept.</p>
      </Part>
      <Part title="Payload">
        {delivery.request_body === null ? (
          <p className={classes['note']}>The payload is made with the first attempt.</p>
        ) : (
          <Body text={delivery.request_body} label="the payload" />
        )}
      </Part>
    </>
  );
}

export function DeliveryResponse({ delivery }: { delivery: WebhookDelivery }) {
  const { response_status: status, response_body: body, response_time_ms: ms, error } = delivery;
  return (
    <Part title="Response">
      <p className={classes['note']} style={{ margin: '0 0 8px' }}>
        {status === null
          ? (error ?? 'There is no answer yet.')
          : titleOf({ at: '', status, response_time_ms: ms, error: null })}
      </p>
      {body !== null && body !== '' && <Body text={body} label="the response" />}
    </Part>
  );
}

/** JSON set apart by colour; any other text byte for byte. */
function Body({ text, label }: { text: string; label: string }) {
  const json = readJson(text);
  if (json === undefined) return <CodeBlock code={text} label={label} wrap maxHeight={480} />;
  return <JsonView value={json} label={label} maxHeight={480} />;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const Part = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <div style={{ marginTop: 32 }}>
    <Section title={title} plain>
      {children}
    </Section>
  </div>
);
