import { Type } from 'typebox';
import { type Route, route } from '#platform/http/route.ts';
import { nullable } from '#platform/records/wire-types.ts';

const Port = nullable(Type.Integer({ minimum: 1, maximum: 65_535 }));

const RelayAddress = Type.Object(
  {
    host: Type.String({ description: 'The host of `POSTHORN_PUBLIC_URL`.', examples: ['mail.example.com'] }),
    ports: Type.Object(
      { starttls: Port, tls: Port },
      { additionalProperties: false, description: 'null: off. `tls` begins with TLS, `starttls` turns it on.' },
    ),
    username: Type.Literal('apikey'),
  },
  { title: 'RelayAddress', additionalProperties: false },
);

/** `isOn`: it has a certificate, where it needs one. */
export const relayRoutes = ({ isOn, ports }: { isOn: boolean; ports: { startTls: number; tls: number } }): Route[] => [
  route({
    method: 'GET',
    path: '/v1/relay',
    id: 'get_relay_address',
    tag: 'SMTP relay',
    summary: 'Read where programs hand in mail',
    description: 'The password is an API key with `emails:send`.',
    access: { scope: 'emails:send', orScope: 'logs:read' },
    response: RelayAddress,
    handler: async ({ settings }) => ({
      host: new URL(settings.publicUrl).hostname.replace(/^\[|\]$/g, ''),
      ports: { starttls: isOn ? ports.startTls || null : null, tls: isOn ? ports.tls || null : null },
      username: 'apikey',
    }),
  }),
];
