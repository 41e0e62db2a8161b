import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRelayAddressOptions, listDomainsOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { Workspace } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { withQuery } from '../../lib/curl.ts';
import { pb } from '../../lib/paths.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { CodeBlock } from '../../ui/code/CodeBlock.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Properties } from '../../ui/record/Properties.tsx';
import { Section } from '../../ui/Section.tsx';
import { FirstMessage } from './FirstMessage.tsx';
import { bestPort, type RelayAddress, relayAddress } from './relay-address.ts';
import { relaySamples } from './relay-samples.ts';
import classes from './relay.module.css';

const NEW_KEY = withQuery(pb.keyNew(), { name: 'SMTP relay', scopes: 'emails:send' });

/** Host, ports, user and password, the settings of programs, and a tick when the first message has come. */
export function SetUpTab({ workspace }: { workspace: Workspace }) {
  const whyNoKey = useWhyNot('api_keys:write');
  const { data: told } = useQuery({ ...getRelayAddressOptions(), staleTime: 60_000 });
  const address = relayAddress(window.location.hostname, told);
  const isOff = address.port === 0 && address.tlsPort === 0;
  return (
    <div className={classes['page']}>
      {isOff && (
        <Notice tone="warn">
          The relay is off: <code>POSTHORN_SMTP_RELAY_PORT</code> and <code>POSTHORN_SMTP_RELAYS_PORT</code> are 0, or
          it has no certificate for other machines (<code>POSTHORN_TLS_CERT</code>).
        </Notice>
      )}
      <FirstMessage />
      <Section
        title="Address"
        actions={
          <ActionButton variant="default" size="xs" href={NEW_KEY} disabledReason={whyNoKey}>
            Create a key for it
          </ActionButton>
        }
      >
        <Properties
          items={[
            { label: 'Host', value: address.host, copy: address.host, mono: true },
            ...portsOf(address),
            { label: 'User name', value: 'apikey', copy: 'apikey', mono: true },
            {
              label: 'Password',
              value: (
                <span>
                  An API key with the scope <code>emails:send</code>
                </span>
              ),
            },
            {
              label: 'Sender',
              value: (
                <span>
                  An address at a verified domain, in From and in the envelope (<a href={pb.domains()}>your domains</a>)
                </span>
              ),
            },
          ]}
        />
        <p className={classes['note']}>
          The operator may have forwarded ports 587 and 465 to these. Without a certificate (POSTHORN_TLS_CERT) the
          relay listens on loopback only.
        </p>
      </Section>
      <Samples workspace={workspace} address={address} />
    </div>
  );
}

const portsOf = ({ port, tlsPort }: RelayAddress) => [
  ...(port === 0 ? [] : [{ label: 'Port', value: `${port} with STARTTLS`, copy: String(port) }]),
  ...(tlsPort === 0
    ? []
    : [
        {
          label: port === 0 ? 'Port' : 'Or port',
          value: `${tlsPort} with TLS from the first byte`,
          copy: String(tlsPort),
        },
      ]),
];

function Samples({ workspace, address }: { workspace: Workspace; address: RelayAddress }) {
  const [{ app }, setUrl] = useUrlState(['app']);
  const domains = useQuery({ ...listDomainsOptions(), enabled: workspace.edition === 'cloud' });
  // The newest comes first, and the domain of the installation is the oldest.
  const own = domains.data?.data.find(({ sending_enabled: isOn }) => isOn);
  const samples = relaySamples({
    host: address.host,
    ...bestPort(address),
    from: `hello@${own?.domain ?? 'example.com'}`,
  });
  const open = samples.find(({ id }) => id === app) ?? samples[0];
  if (open === undefined) return null;
  return (
    <Section title="Settings of programs" plain>
      <Tabs
        value={open.id}
        onChange={(next) => setUrl({ app: next === null || next === samples[0]?.id ? undefined : next })}
        keepMounted={false}
      >
        <Tabs.List aria-label="Programs">
          {samples.map(({ id, label }) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {samples.map(({ id, label, where, code }) => (
          <Tabs.Panel key={id} value={id} pt="sm">
            <p className={classes['where']}>{where}</p>
            <CodeBlock code={code} label={`the settings for ${label}`} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  );
}
