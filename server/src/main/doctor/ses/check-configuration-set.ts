import type { EventDestination } from '@aws-sdk/client-sesv2';
import type { SesInspector } from '#providers/ses/ses-inspector.ts';
import { CONFIGURATION_SET, EVENT_DESTINATION } from './about-ses.ts';
import { askSes } from './ask-ses.ts';
import { type Finding, ok, skipped, trouble } from '../finding.ts';

/** Without these a bounced address is written to again, or an email never leaves `sent`. */
const EVENT_TYPES = ['SEND', 'REJECT', 'BOUNCE', 'COMPLAINT', 'DELIVERY', 'DELIVERY_DELAY', 'RENDERING_FAILURE'];

export interface ConfigurationSetCheck {
  findings: Finding[];
  /** The topics that are told of events. */
  topics: string[];
}

interface Deps {
  inspector: SesInspector;
  region: string;
  configurationSet: string | null;
}

/** The set that every message names (or that each identity adds), and where it sends its events. */
export async function checkConfigurationSet(
  { inspector, region, configurationSet }: Deps,
  defaultSets: readonly (string | null)[],
): Promise<ConfigurationSetCheck> {
  const name = configurationSet ?? commonSet(defaultSets);
  const notLooked = skipped(EVENT_DESTINATION, 'Not looked at: there is no configuration set.');
  if (name === null) {
    const message = 'Messages carry no configuration set.';
    return { findings: [trouble(CONFIGURATION_SET, 'not named', message, { region }), notLooked], topics: [] };
  }
  const set = await askSes(inspector.configurationSet(name));
  if ('refusal' in set) {
    const kind = set.refusal === 'not found' ? 'missing' : set.refusal === 'denied' ? 'denied' : 'unknown';
    const finding = trouble(CONFIGURATION_SET, kind, set.words, { region });
    if (kind === 'missing') return { findings: [finding, notLooked], topics: [] };
    return await withDestinations(inspector, name, finding);
  }
  const by = configurationSet === null ? 'each identity adds it' : 'every message names it';
  const finding = set.answer.sendingEnabled
    ? ok(CONFIGURATION_SET, `${name}: ${by}.`)
    : trouble(CONFIGURATION_SET, 'sending is off', `${name}: sending is not enabled.`);
  return await withDestinations(inspector, name, finding);
}

/** The one default set that all identities have; null when any has none or another. */
function commonSet(defaultSets: readonly (string | null)[]): string | null {
  const [first = null, ...more] = new Set(defaultSets);
  return more.length === 0 ? first : null;
}

async function withDestinations(inspector: SesInspector, name: string, set: Finding): Promise<ConfigurationSetCheck> {
  const asked = await askSes(inspector.eventDestinations(name));
  if ('refusal' in asked) {
    const kind = asked.refusal === 'denied' ? 'denied' : 'unknown';
    return { findings: [set, trouble(EVENT_DESTINATION, kind, asked.words)], topics: [] };
  }
  const ofTopics = asked.answer.filter(({ SnsDestination }) => SnsDestination?.TopicArn !== undefined);
  const enabled = ofTopics.filter(({ Enabled }) => Enabled === true);
  const topics = [...new Set(enabled.map(({ SnsDestination }) => SnsDestination?.TopicArn ?? ''))];
  return { findings: [set, judgeDestinations(name, asked.answer, ofTopics, enabled)], topics };
}

function judgeDestinations(
  name: string,
  all: readonly EventDestination[],
  ofTopics: readonly EventDestination[],
  enabled: readonly EventDestination[],
): Finding {
  const names = (list: readonly EventDestination[]): string => list.map(({ Name }) => Name).join(', ');
  if (ofTopics.length === 0) {
    const others = all.length === 0 ? 'no event destinations' : `only these event destinations: ${names(all)}`;
    return trouble(EVENT_DESTINATION, 'missing', `${name} has ${others}.`);
  }
  if (enabled.length === 0) return trouble(EVENT_DESTINATION, 'disabled', `${names(ofTopics)}: not enabled.`);
  const told = new Set<string>(enabled.flatMap(({ MatchingEventTypes }) => MatchingEventTypes ?? []));
  const missing = EVENT_TYPES.filter((type) => !told.has(type));
  if (missing.length > 0) {
    return trouble(EVENT_DESTINATION, 'events are missing', `${names(enabled)} leaves out ${missing.join(', ')}.`);
  }
  return ok(EVENT_DESTINATION, `${names(enabled)} tells Amazon SNS everything.`);
}
