import type { Route } from '#platform/http/route.ts';
import type { NewslettersWiring } from '../wiring.ts';

export const publicRoutes = (_wiring: NewslettersWiring): Route[] => [];
