import type { DomainCheck } from '../../api/generated/types.gen.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';

export const OUTCOMES: Readonly<Record<DomainCheck['outcome'], { label: string; tone: Tone }>> = {
  verified: { label: 'All is right', tone: 'ok' },
  failed: { label: 'Not right', tone: 'bad' },
  temporary_failure: { label: 'No certain answer', tone: 'warn' },
};
