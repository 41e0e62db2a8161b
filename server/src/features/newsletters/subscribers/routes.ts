import type { Route } from '#platform/http/route.ts';
import type { NewslettersWiring } from '../wiring.ts';

export const subscriberRoutes = (_wiring: NewslettersWiring): Route[] => [];
