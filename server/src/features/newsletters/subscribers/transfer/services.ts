import type { Service } from '#platform/lifecycle.ts';
import type { NewslettersWiring } from '../../wiring.ts';

/** What a process with the worker role runs. Any number of processes may. */
export const transferServices = (_wiring: NewslettersWiring): Service[] => [];
