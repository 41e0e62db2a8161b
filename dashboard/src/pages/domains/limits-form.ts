import type { ChangeDomainLimitsData, Domain } from '../../api/generated/types.gen.ts';

export interface LimitsValues extends Record<string, unknown> {
  maxDailyEmails: string;
  maxMonthlyEmails: string;
}

type Limits = Pick<Domain, 'max_daily_emails' | 'max_monthly_emails'>;

const asText = (limit: number | null): string => (limit === null ? '' : String(limit));

export const valuesOfLimits = ({ max_daily_emails, max_monthly_emails }: Limits): LimitsValues => ({
  maxDailyEmails: asText(max_daily_emails),
  maxMonthlyEmails: asText(max_monthly_emails),
});

/** Digits, or digits in groups of three: `10000`, `10,000`, `10 000`. */
const COUNT = /^(?:\d*|\d{1,3}(?:[,\s]\d{3})+)$/;

/** A text that is no number must not reach the server: as JSON it would be null, which is unlimited. */
export const problemOfLimit = (text: string): string | null =>
  COUNT.test(text.trim()) ? null : 'Enter a whole number, or nothing for no limit.';

const asLimit = (text: string): number | null => {
  const digits = text.replaceAll(/[\s,]/g, '');
  return digits === '' ? null : Number(digits);
};

export const bodyOfLimits = (values: LimitsValues): NonNullable<ChangeDomainLimitsData['body']> => ({
  maxDailyEmails: asLimit(values.maxDailyEmails),
  maxMonthlyEmails: asLimit(values.maxMonthlyEmails),
});
