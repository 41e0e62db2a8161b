import type { SendEmailCommandInput } from '@aws-sdk/client-sesv2';
import { type Clock, systemClock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { EmailProvider, Gate, OutgoingMessage, Verdict } from '../email-provider.ts';
import { judgeAnswer } from './judge-answer.ts';
import { judgeSilence } from './judge-silence.ts';
import { type Progress, trackProgress } from './progress.ts';
import { type LoadedSes, loadSesClient, type SesClientOptions } from './ses-client.ts';
import type { SesSettings } from './ses-settings.ts';
import { createTroubleLog } from './trouble-log.ts';

export interface SesProviderOptions extends SesClientOptions {
  log: Log;
}

/** Tags by which an event finds its email again. */
const WORKSPACE_TAG = 'posthorn_workspace';
const EMAIL_TAG = 'posthorn_email';

interface SendOptions {
  deadlineMs: number;
  gate?: Gate;
}

interface HandOver {
  controller: AbortController;
  progress: Progress;
  verdict: Promise<Verdict>;
}

/** Mail through Amazon SES, API v2, each message as the bytes it was finished to, in the region of its domain. */
export function createSesProvider(settings: SesSettings, options: SesProviderOptions): EmailProvider {
  const clock: Clock = options.clock ?? systemClock;
  const trouble = createTroubleLog(options.log, settings.region);
  const underWay = new Set<HandOver>();
  const clients = new Map<string, Promise<LoadedSes>>();
  const clientOf = clientsIn(clients, settings, options);

  const handOver = (ses: LoadedSes, message: OutgoingMessage, { deadlineMs, gate }: SendOptions): HandOver => {
    const controller = new AbortController();
    const deadline = startDeadline(controller, { clock, ms: deadlineMs });
    const timed = gate && { ...gate, mayBegin: () => gate.mayBegin().then(deadline.restart) };
    const progress = trackProgress(controller.signal, clock.monotonicMs() + deadlineMs, timed);
    const command = new ses.sdk.SendEmailCommand(inputOf(message, settings.configurationSet));
    // The SDK looks for credentials without an eye on the signal: the verdict does not wait for that.
    const ended = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
    });
    const verdict = Promise.race([ses.client.send(command, { abortSignal: controller.signal }), ended])
      .then(
        () => undefined,
        (error: unknown) => error,
      )
      // Judged by what came over the wire: an answer that the SDK cannot read is an answer nevertheless.
      .then((error) =>
        progress.answer === null ? judgeSilence(progress, error) : judgeAnswer(progress.answer, message.envelope.from),
      )
      .finally(deadline.clear);
    return { controller, progress, verdict };
  };

  return {
    name: 'ses',
    capacity: settings.connections,
    async start() {
      await clientOf(settings.region);
    },
    async stop() {
      const ended = [...clients.values()];
      clients.clear();
      // Messages that wait for a connection are not begun any more; those on their way have their own deadlines.
      for (const { controller, progress } of underWay)
        if (!progress.begun) controller.abort(new Error('the provider is stopping'));
      await Promise.all([...underWay].map((one) => one.verdict));
      for (const { client } of await Promise.all(ended)) client.destroy();
    },
    async send(message, options) {
      if (clients.size === 0) return notNow('the provider does not run');
      if (options.deadlineMs <= 0) return notNow('the deadline has passed');
      const ses = await clientOf(message.region ?? settings.region);
      if (clients.size === 0) return notNow('the provider is stopping');
      const one = handOver(ses, message, options);
      underWay.add(one);
      try {
        return trouble.note(await one.verdict);
      } finally {
        underWay.delete(one);
      }
    },
  };
}

/** By region, that of the URL among them; there is none while the provider does not run. */
const clientsIn =
  (clients: Map<string, Promise<LoadedSes>>, settings: SesSettings, options: SesClientOptions) =>
  (region: string): Promise<LoadedSes> => {
    const client = clients.get(region) ?? loadSesClient({ ...settings, region }, options);
    clients.set(region, client);
    return client;
  };

/** Aborts when the time is over. It begins anew with the transaction. */
function startDeadline(controller: AbortController, { clock, ms }: { clock: Clock; ms: number }) {
  const giveUp = (): void => controller.abort(new Error('no answer in time'));
  let timer = setTimeout(giveUp, ms);
  const clear = (): void => clearTimeout(timer);
  const restart = (untilMs: number | null): number | null => {
    clear();
    if (!controller.signal.aborted && untilMs !== null) timer = setTimeout(giveUp, untilMs - clock.monotonicMs());
    return untilMs;
  };
  return { clear, restart };
}

/**
 * The envelope's recipients go to Destination: with raw content SES delivers to those and leaves the headers as they
 * are, which is what blind copies need. FromEmailAddress stays out: it would replace the From header, display name and
 * signature with it. The return path is SES's own (its MAIL FROM domain), and bounces come back as events.
 */
const inputOf = (message: OutgoingMessage, configurationSet: string | null): SendEmailCommandInput => ({
  Destination: { ToAddresses: message.envelope.to },
  Content: { Raw: { Data: message.mime } },
  EmailTags: [
    { Name: WORKSPACE_TAG, Value: message.workspaceId },
    { Name: EMAIL_TAG, Value: message.emailId },
  ],
  ...(configurationSet === null ? {} : { ConfigurationSetName: configurationSet }),
});

const notNow = (response: string): Verdict => ({ kind: 'temporary', response, code: null, throttled: false });
