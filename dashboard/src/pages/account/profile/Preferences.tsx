import { Radio, Stack, useMantineColorScheme } from '@mantine/core';
import { useState } from 'react';
import { exactTime } from '../../../lib/time.ts';
import { useNow } from '../../../lib/use-now.ts';
import { browserZone, chooseZone, chosenZone } from '../../../lib/zone.ts';
import { ZoneField } from '../../../ui/form/ZoneField.tsx';
import { Section } from '../../../ui/Section.tsx';
import classes from '../account.module.css';

const SCHEMES = [
  { value: 'auto', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;
const OF_BROWSER = 'browser';

/** Colours and time zone. They belong to this browser: another device may want others. */
export function Preferences() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [zone, setZone] = useState(chosenZone);
  const now = useNow();
  const browser = browserZone();
  const choose = (next: string) => {
    const wanted = next === OF_BROWSER ? undefined : next;
    if (wanted === zone) return;
    setZone(wanted);
    chooseZone(wanted);
    // Every formatter of times is made once, when the page is loaded.
    window.location.reload();
  };
  return (
    <Section title="Preferences" description="Of this browser. Another device has its own.">
      <div className={classes['preferences']}>
        <Radio.Group
          label="Colours"
          value={colorScheme}
          onChange={(next) => setColorScheme(SCHEMES.find(({ value }) => value === next)?.value ?? 'auto')}
        >
          <Stack gap={8} mt={8}>
            {SCHEMES.map(({ value, label }) => (
              <Radio key={value} value={value} label={label} size="xs" />
            ))}
          </Stack>
        </Radio.Group>
        <ZoneField
          label="Time zone"
          description={`Times are shown and typed in it. Now it is ${exactTime(new Date(now)).replace(/:\d\d /, ' ')}.`}
          own={{ value: OF_BROWSER, label: `As the browser (${browser})` }}
          value={zone ?? OF_BROWSER}
          onChange={choose}
        />
      </div>
    </Section>
  );
}
