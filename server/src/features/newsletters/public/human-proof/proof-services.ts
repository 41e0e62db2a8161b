import type { Settings } from '#platform/config/settings.ts';

/** A service that tells people from programs. All of them verify by the same protocol, `siteverify`. */
export interface ProofService {
  /** The field that its widget adds to the form. */
  field: 'cf-turnstile-response' | 'h-captcha-response';
  widgetClass: string;
  scriptIn(language: string): string;
  /** Origins of the script, frames, styles and calls of the widget, as the service documents them for a policy. */
  widgetFrom: readonly string[];
  verifyAt: string;
}

const SERVICES: Record<Exclude<Settings['humanProof'], 'none'>, ProofService> = {
  turnstile: {
    field: 'cf-turnstile-response',
    widgetClass: 'cf-turnstile',
    scriptIn: () => 'https://challenges.cloudflare.com/turnstile/v0/api.js',
    // https://developers.cloudflare.com/turnstile/reference/content-security-policy: script-src and frame-src.
    widgetFrom: ['https://challenges.cloudflare.com'],
    verifyAt: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  },
  hcaptcha: {
    field: 'h-captcha-response',
    widgetClass: 'h-captcha',
    scriptIn: (language) => `https://js.hcaptcha.com/1/api.js?hl=${encodeURIComponent(language)}`,
    // https://docs.hcaptcha.com, "Content-Security-Policy Settings": script-src, frame-src, style-src and connect-src.
    widgetFrom: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
    verifyAt: 'https://api.hcaptcha.com/siteverify',
  },
};

export type ProofSettings = Pick<Settings, 'humanProof' | 'humanProofSiteKey'>;

export interface HumanProof {
  name: keyof typeof SERVICES;
  siteKey: string;
  service: ProofService;
}

/** null: people sign up without a proof. */
export function humanProofOf({ humanProof, humanProofSiteKey }: ProofSettings): HumanProof | null {
  if (humanProof === 'none' || humanProofSiteKey === null) return null;
  return { name: humanProof, siteKey: humanProofSiteKey, service: SERVICES[humanProof] };
}
