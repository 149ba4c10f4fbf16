import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Finding } from '#src/platform/channel-definition.ts';
import { bad, note, ok } from './check.ts';

interface Sample {
  readonly host: string;
  readonly aheadMs: number;
}

const WARN_MS = 5_000;
const FAIL_MS = 60_000;
const LOCAL = /^(?:localhost|127\.|\[?::1)/;

/** Servers say the time in whole seconds: half of one is the likeliest rest. */
const HALF_SECOND_MS = 500;

const ON_LINUX =
  'Set it with NTP: sudo timedatectl set-ntp true. The clock of a container is that of its host.';
const ON_MACOS = 'Set it with NTP: sudo sntp -sS time.apple.com';

/**
 * How far the clock of this machine is ahead, by a server that has its own. Of several, the one in the middle: the clock
 * of one may be wrong. Servers on this machine count only where there is no other.
 */
const clockSample = (samples: readonly Sample[]): Sample | undefined => {
  const remote = samples.filter(({ host }) => !LOCAL.test(host));
  const sorted = (remote.length > 0 ? remote : samples).toSorted((a, b) => a.aheadMs - b.aheadMs);
  return sorted[Math.floor((sorted.length - 1) / 2)];
};

export const clockFindings = (samples: readonly Sample[]): readonly Finding[] => {
  const sample = clockSample(samples);
  if (!sample) return [];
  const apartMs = Math.abs(sample.aheadMs);
  if (apartMs <= WARN_MS) return [ok(`The clock of this machine agrees with that of ${sample.host}`)];
  const side = sample.aheadMs > 0 ? 'ahead of' : 'behind';
  const advice = process.platform === 'darwin' ? ON_MACOS : ON_LINUX;
  const text = `The clock of this machine is ${Math.round(apartMs / 1_000)} s ${side} that of ${sample.host}`;
  return apartMs > FAIL_MS
    ? [bad(`${text}; Slack's signatures, sign-ins and alerts depend on it`, advice)]
    : [note(text, advice)];
};

interface FetchResponse {
  readonly request: { readonly origin: string };
  readonly response: { readonly headers: readonly (Buffer | string)[] };
}

/** Reads the date of every response that the other checks get, so that no server is asked for it alone. */
export const watchClocks = (): (() => readonly Sample[]) => {
  const samples = new Map<string, number>();
  const see = (host: string, date: string | undefined, age: string | undefined): void => {
    const atMs = Date.parse(date ?? '');
    // A cache repeats the date of the first response.
    if (Number.isNaN(atMs) || Number(age ?? 0) > 0) return;
    samples.set(host, Date.now() - atMs - HALF_SECOND_MS);
  };
  subscribe('http.client.response.finish', (message) => {
    const { request, response } = message as {
      readonly request: ClientRequest;
      readonly response: IncomingMessage;
    };
    see(request.host, response.headers.date, response.headers.age);
  });
  subscribe('undici:request:headers', (message) => {
    const { request, response } = message as FetchResponse;
    const texts = response.headers.map(String);
    const header = (name: string): string | undefined =>
      texts.find((_, index) => index % 2 === 1 && texts[index - 1]?.toLowerCase() === name);
    see(new URL(request.origin).hostname, header('date'), header('age'));
  });
  return () => Array.from(samples, ([host, aheadMs]) => ({ host, aheadMs }));
};
