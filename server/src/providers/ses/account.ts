import type { GetAccountResponse } from '@aws-sdk/client-sesv2';

/** The limits of an account with SES in a region, as we keep and show them. */
export interface SesAccountReading {
  /** Recipients per second; null: SES did not say. */
  maxSendRate: number | null;
  /** Recipients in 24 hours; null: without end (SES says -1), or not said. */
  max24HourSend: number | null;
  sentLast24Hours: number;
  /** False: only verified addresses can be written to. */
  productionAccess: boolean;
  sendingEnabled: boolean;
  /** HEALTHY, PROBATION or SHUTDOWN. */
  enforcementStatus: string | null;
}

export function readingOf(answer: GetAccountResponse): SesAccountReading {
  const { MaxSendRate, Max24HourSend, SentLast24Hours } = answer.SendQuota ?? {};
  return {
    maxSendRate: MaxSendRate !== undefined && MaxSendRate > 0 ? MaxSendRate : null,
    max24HourSend: Max24HourSend !== undefined && Max24HourSend >= 0 ? Max24HourSend : null,
    sentLast24Hours: SentLast24Hours ?? 0,
    productionAccess: answer.ProductionAccessEnabled ?? false,
    sendingEnabled: answer.SendingEnabled ?? true,
    enforcementStatus: answer.EnforcementStatus ?? null,
  };
}

export const isQuotaUsedUp = ({ max24HourSend, sentLast24Hours }: SesAccountReading): boolean =>
  max24HourSend !== null && sentLast24Hours >= max24HourSend;
