import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Slack signs a request when it sends it. An older one was recorded and is sent again by somebody else. */
const MAX_AGE = Temporal.Duration.from({ minutes: 5 });

const VERSION = 'v0';

export type SignatureFault = 'missing' | 'expired' | 'wrong';

export const isSigned = (headers: IncomingHttpHeaders): boolean =>
  typeof headers['x-slack-request-timestamp'] === 'string' &&
  typeof headers['x-slack-signature'] === 'string';

/** What is wrong with the signature of a request, or undefined if Slack sent this body within five minutes. */
export const signatureFault = (
  body: Uint8Array,
  headers: IncomingHttpHeaders,
  secret: string,
  now: Temporal.Instant,
): SignatureFault | undefined => {
  const { 'x-slack-request-timestamp': sentAtS, 'x-slack-signature': signature } = headers;
  if (typeof sentAtS !== 'string' || typeof signature !== 'string') return 'missing';
  if (!/^\d{1,12}$/.test(sentAtS)) return 'wrong';
  const ageMs = Math.abs(now.epochMilliseconds - Number(sentAtS) * 1_000);
  if (ageMs > MAX_AGE.total('milliseconds')) return 'expired';
  const digest = createHmac('sha256', secret).update(`${VERSION}:${sentAtS}:`).update(body).digest('hex');
  const [expected, given] = [Buffer.from(`${VERSION}=${digest}`), Buffer.from(signature)];
  return expected.length === given.length && timingSafeEqual(expected, given) ? undefined : 'wrong';
};
