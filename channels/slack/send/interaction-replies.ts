import { ChannelError, errorMessage } from '#src/kernel/errors.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { checkRequest } from '#src/platform/net/http-transport.ts';
import { SlackRefusedError } from '../api.ts';
import { QUIET } from './posting.ts';
import type { Rendered } from './render.ts';

/** Slack accepts five replies to one command or button. */
const MAX_USES = 5;
const LIFE_MS = 30 * 60_000;
const TIMEOUT_MS = 15_000;
const MAX_KEPT = 5_000;

/** Stands for the `response_url` that a press on the home tab lacks: its answer is shown there. */
export const HOME_TOKEN = 'slack-home';

interface ResponseOptions {
  readonly isPrivate: boolean;
  readonly threadTs?: string | undefined;
  /** Replaces the message whose button was pressed. */
  readonly replaces?: boolean;
}

/** Replies over the `response_url` of a command or button. Throws `ChannelError`: `refused` once it no longer works. */
export type Respond = (url: string, rendered: Rendered, options: ResponseOptions) => Promise<void>;

const bodyOf = (
  { text, blocks }: Rendered,
  { isPrivate, threadTs, replaces = false }: ResponseOptions,
): string =>
  JSON.stringify({
    response_type: isPrivate ? 'ephemeral' : 'in_channel',
    replace_original: replaces,
    ...QUIET,
    text,
    ...(blocks.length > 0 ? { blocks } : {}),
    ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
  });

const toError = async (response: Response): Promise<ChannelError> => {
  if (response.status === 429)
    return new ChannelError('rate-limited', 'Slack limits response_url', {
      retryAfterMs: (Number(response.headers.get('retry-after')) || 1) * 1_000,
    });
  if (response.status >= 500)
    return new ChannelError('unreachable', `Slack answered response_url with ${response.status}`);
  const answer = await response.text().catch(() => '');
  const word = /"error"\s*:\s*"([a-z0-9_]+)"|^\s*([a-z0-9_]{1,60})\s*$/i.exec(answer);
  return new SlackRefusedError('response_url', word?.[1] ?? word?.[2] ?? String(response.status), undefined);
};

export const createRespond = (clock: Clock, isSlackHost: (url: URL) => boolean): Respond => {
  /** How often each address was used, and since when it is known. An address is a secret and never logged. */
  const uses = new Map<string, { count: number; readonly sinceMs: number }>();

  const use = (url: string): void => {
    const known = uses.get(url) ?? { count: 0, sinceMs: clock.monotonicMs() };
    if (known.count >= MAX_USES || clock.monotonicMs() - known.sinceMs > LIFE_MS)
      throw new SlackRefusedError('response_url', 'used_url', undefined);
    const oldest = uses.size >= MAX_KEPT ? uses.keys().next().value : undefined;
    if (oldest !== undefined) uses.delete(oldest);
    known.count += 1;
    uses.set(url, known);
  };

  return async (url, rendered, options) => {
    if (!URL.canParse(url) || !isSlackHost(new URL(url)))
      throw new SlackRefusedError('response_url', 'not_an_address_of_slack', undefined);
    use(url);
    checkRequest();
    let response: Response;
    try {
      response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: bodyOf(rendered, options),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (error) {
      // The error has no `cause`, which would contain the address.
      throw new ChannelError('unreachable', `Slack cannot be reached: ${errorMessage(error)}`);
    }
    if (!response.ok) throw await toError(response);
    await response.body?.cancel();
  };
};
