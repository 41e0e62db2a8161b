import type { Route } from '#platform/http/route.ts';
import type { NewslettersWiring } from './wiring.ts';

export const newsletterRoutes = (_wiring: NewslettersWiring): Route[] => [];
