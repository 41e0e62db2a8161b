export { createDomainsFeature } from './feature.ts';
export { findDefaultSenderDomain } from './default-sender-domain.ts';
export { createSigning } from './dkim-key.ts';
export { countsOfDomain, domainCapProblem, takesOfDomain } from './domain-cap.ts';
/** The identities of a workspace that is deleted are deleted too. */
export { releaseIdentitiesOf } from './identities/release-identities.ts';
export { listIdentityRegions } from './identities/queries.ts';
export type { SendingIdentities } from './identities/sending-identities.ts';
/** Which of these ids are no domain of the workspace. */
export { listMissingDomains as missingDomains } from './queries.ts';
export { receivingEnabled } from './receiving/change-receiving.ts';
export {
  findDomainName,
  findReceivingDomain,
  type ReceivingDomain,
  someDomainReceives,
} from './receiving/queries.ts';
export { createSandboxDomain, SANDBOX_DOMAIN } from './sandbox-domain.ts';
export { findSenderDomain, forgetSenderDomains, howToVerify, type SenderDomain } from './sender-domain.ts';
