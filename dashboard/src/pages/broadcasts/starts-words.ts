import { counted, formatCount } from '../../lib/number.ts';
import { exactTime } from '../../lib/time.ts';

interface Counted {
  will_send: number;
  without_timezone: number | null;
  starts: { at: string; recipients: number }[] | null;
}

const people = (count: number): string => counted(count, 'person', 'people');

/** When a broadcast at a local time would leave. A warning: somebody gets it at another time than theirs. */
export function startsWords(
  { will_send: all, without_timezone: without, starts }: Counted,
  { clock, zone, now }: { clock: string; zone: string; now: number },
): { text: string; isWarning: boolean } {
  const [first, last] = [starts?.[0], starts?.at(-1)];
  if (starts === null || first === undefined || last === undefined) {
    return { text: 'Nobody would get it now.', isWarning: true };
  }
  const atOnce = starts.filter(({ at }) => Date.parse(at) <= now).reduce((sum, { recipients }) => sum + recipients, 0);
  const when =
    first === last
      ? `All ${people(all)} get it at ${exactTime(first.at)}.`
      : `It leaves at ${formatCount(starts.length)} times: first at ${exactTime(first.at)} for ${people(first.recipients)}, ` +
        `last at ${exactTime(last.at)} for ${people(last.recipients)}.`;
  const noZone = (without ?? 0) === 0 ? '' : ` ${people(without ?? 0)} without a time zone: at ${clock} in ${zone}.`;
  const passed = atOnce === 0 ? '' : ` Where ${clock} has passed, ${people(atOnce)}: at once.`;
  return { text: `${when}${noZone}${passed}`, isWarning: noZone + passed !== '' };
}
