import { Progress, TextInput } from '@mantine/core';
import { changeDomainLimits } from '../../api/generated/sdk.gen.ts';
import type { Domain } from '../../api/generated/types.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { formatCount } from '../../lib/number.ts';
import { UnsavedGuard } from '../../lib/unsaved-guard.tsx';
import { useApiForm } from '../../lib/use-api-form.ts';
import { WriteForm } from '../../ui/form/WriteForm.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Section } from '../../ui/Section.tsx';
import { toastDone } from '../../ui/toasts.tsx';
import classes from './domains.module.css';
import { bodyOfLimits, type LimitsValues, problemOfLimit, valuesOfLimits } from './limits-form.ts';
import { DOMAIN_READS } from './use-check-now.ts';

/** How much of each limit is used, and the limits themselves. */
export function LimitsTab({ domain, whyNot }: { domain: Domain; whyNot: string | undefined }) {
  const { usage, max_daily_emails: day, max_monthly_emails: month } = domain;
  return (
    <div className={classes['narrow']}>
      <Section title="Used" description="Recipients accepted, over the API, SMTP and issues together.">
        <div className={classes['usage']}>
          <Usage
            label="Today (UTC)"
            used={usage.daily}
            limit={day}
            isEstimate={usage.is_estimate}
            resetsAt={usage.resets.daily}
          />
          <Usage
            label="This month (UTC)"
            used={usage.monthly}
            limit={month}
            isEstimate={usage.is_estimate}
            resetsAt={usage.resets.monthly}
          />
        </div>
      </Section>
      <Section
        title="Limits"
        description="A send beyond a limit is refused. An issue reaches exactly the limit, pauses, and goes on when it resets."
      >
        <LimitsForm domain={domain} whyNot={whyNot} />
      </Section>
    </div>
  );
}

interface UsageProps {
  label: string;
  used: number;
  limit: number | null;
  /** Without a limit: at least so much. */
  isEstimate: boolean;
  resetsAt: string;
}

function Usage({ label, used, limit, isEstimate, resetsAt }: UsageProps) {
  const words =
    limit === null
      ? `${isEstimate ? 'at least ' : ''}${formatCount(used)}, no limit`
      : `${formatCount(used)} of ${formatCount(limit)}`;
  const share = limit === null ? 0 : limit === 0 ? 100 : Math.min((used / limit) * 100, 100);
  return (
    <div>
      <div className={classes['usageLine']}>
        <b>{label}</b>
        <span>
          {words}
          {limit !== null && (
            <>
              {' · resets '}
              <RelativeTime at={resetsAt} />
            </>
          )}
        </span>
      </div>
      {limit !== null && (
        <Progress.Root size="sm">
          <Progress.Section
            value={share}
            color={share >= 100 ? 'red' : share >= 80 ? 'yellow' : 'accent'}
            aria-label={label}
            aria-valuetext={words}
          />
        </Progress.Root>
      )}
    </div>
  );
}

function LimitsForm({ domain, whyNot }: { domain: Domain; whyNot: string | undefined }) {
  const form = useApiForm<LimitsValues>({
    initialValues: valuesOfLimits(domain),
    validate: { maxDailyEmails: problemOfLimit, maxMonthlyEmails: problemOfLimit },
  });
  const { fields } = form;
  const write = useWrite({
    call: (values: LimitsValues) =>
      changeDomainLimits({ path: { id: domain.id }, body: bodyOfLimits(values), throwOnError: true }),
    changes: DOMAIN_READS,
    onDone: ({ data }) => {
      const saved = valuesOfLimits(data);
      fields.setInitialValues(saved);
      fields.setValues(saved);
      fields.resetDirty(saved);
      toastDone('The limits apply within a second.');
    },
    onError: form.fail,
  });
  return (
    <WriteForm label="Limits" form={form} write={write} submit="Save" disabledReason={whyNot}>
      <div className={classes['two']}>
        <TextInput
          label="Each day"
          description="Empty: no limit. 0: nothing is accepted."
          inputMode="numeric"
          placeholder="No limit"
          {...fields.getInputProps('maxDailyEmails')}
        />
        <TextInput
          label="Each month"
          description="What was accepted before a limit is set counts."
          inputMode="numeric"
          placeholder="No limit"
          {...fields.getInputProps('maxMonthlyEmails')}
        />
      </div>
      <UnsavedGuard when={fields.isDirty() && !write.isPending} what="The limits have not been saved." />
    </WriteForm>
  );
}
