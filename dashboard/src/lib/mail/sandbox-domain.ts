/** The domain of every installation from its first start; `sandbox-domain.test.ts` compares it with the server. */
export const SANDBOX_DOMAIN = 'posthorn.test';
