import { SegmentedControl } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { SettingInForce, System } from '../../api/generated/types.gen.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Section } from '../../ui/Section.tsx';
import classes from './system.module.css';

const SOURCES: Readonly<Record<SettingInForce['source'], string>> = {
  environment: 'Environment',
  file: '.env',
  default: 'Default',
};
const CHOICES = [
  { value: 'set', label: 'Set' },
  { value: 'all', label: 'All' },
];

/** The settings of the process that answers, each with its source. Secrets stay on the server. */
export function SettingsSection({ system: { data, error, refetch } }: { system: UseQueryResult<System> }) {
  const [{ settings }, setUrl] = useUrlState(['settings']);
  const isAll = settings === 'all';
  const shown = data?.settings.filter(({ source }) => isAll || source !== 'default') ?? [];
  return (
    <Section
      title="Settings in force"
      description="Environment variables of the server, or lines of its .env file. A change needs a restart. Secrets are not shown."
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Settings"
          data={CHOICES}
          value={isAll ? 'all' : 'set'}
          onChange={(next) => setUrl({ settings: next === 'all' ? 'all' : undefined })}
        />
      }
      plain
    >
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data !== undefined && shown.length === 0 && <p className={classes['none']}>Every setting has its default.</p>}
      {shown.length > 0 && (
        <ul className={classes['settings']} aria-label="Settings in force">
          {shown.map((setting) => (
            <Setting key={setting.name} setting={setting} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Setting({ setting }: { setting: SettingInForce }) {
  const { name, meaning, source } = setting;
  return (
    <li className={classes['setting']}>
      <code className={classes['settingName']}>{name}</code>
      <span className={classes['settingValue']}>
        <Value setting={setting} />
      </span>
      <span className={classes['settingSource']}>{SOURCES[source]}</span>
      <span className={classes['settingMeaning']}>
        <WithCode text={meaning} />
      </span>
    </li>
  );
}

function Value({ setting: { value, secret, source, default: fallback } }: { setting: SettingInForce }) {
  if (value !== null) return <code>{value}</code>;
  if (source === 'default') return <WithCode text={fallback} />;
  return secret ? <span>Set, not shown</span> : <span>None</span>;
}

/** The documentation writes names and values in backticks. */
const WithCode = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))}</>
);
