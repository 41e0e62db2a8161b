export { dkimKeyOf } from './dkim-key.ts';
export { domainCapError, domainCapProblem, reserveDomainCap } from './domain-cap.ts';
export { createSandboxDomain, SANDBOX_DOMAIN } from './sandbox-domain.ts';
export { findSenderDomain, type SenderDomain } from './sender-domain.ts';

export const feature = { name: 'domains', routes: [] } as const;
