import { hash } from 'node:crypto';
import type { OpenAiBody } from './types.ts';

const BYTES_PER_TOKEN = 3;
const BLOCK_TOKENS = 128;
const MIN_TOKENS = 1_024;
/** A picture costs about this much, however long its base64 is. */
const IMAGE_TOKENS = 765;

/** From GPT-5.6 on the API reports, and charges, what it writes to its cache. */
const REPORTS_WRITES = /^gpt-(?:5\.[6-9]|[6-9])/u;

/** The tokens of a request. The API's own input count is the sum of the three. */
export interface InputTokens {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export const countTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);

const shortenImages = (_: string, value: unknown): unknown =>
  typeof value === 'string' && value.startsWith('data:image/')
    ? hash('sha1', value).padEnd(IMAGE_TOKENS * BYTES_PER_TOKEN, '.')
    : value;

/** What the model reads, in the order in which the API caches it: tools, instructions, then the turns. */
export const promptOf = ({ tools, instructions, input, messages }: OpenAiBody): string =>
  [tools ?? [], instructions ?? '', ...(typeof input === 'string' ? [input] : (input ?? messages ?? []))]
    .map((part) => JSON.stringify(part, shortenImages))
    .join('\n');

export interface PromptCache {
  /** Counts a request and remembers it. */
  readonly account: (apiKey: string, body: OpenAiBody) => InputTokens;
}

const digestsOf = (prompt: Buffer): readonly string[] => {
  const size = BLOCK_TOKENS * BYTES_PER_TOKEN;
  const digests: string[] = [];
  for (let end = size; end <= prompt.length; end += size) {
    const before = Buffer.from(digests.at(-1) ?? '');
    digests.push(hash('sha1', Buffer.concat([before, prompt.subarray(end - size, end)])));
  }
  return digests;
};

/**
 * The automatic prefix cache. Instead of prompts it keeps a chain of digests, one per block of 128 tokens, so
 * that the transcripts of a long run cost no memory.
 */
export const createPromptCache = (): PromptCache => {
  const caches = new Map<string, Set<string>>();

  return {
    account: (apiKey, body) => {
      const prompt = promptOf(body);
      const total = countTokens(prompt);
      const bucket = JSON.stringify([apiKey, body.model, body['prompt_cache_key']]);
      const known = caches.getOrInsertComputed(bucket, () => new Set());
      const digests = digestsOf(Buffer.from(prompt));
      const shared = (digests.findLastIndex((digest) => known.has(digest)) + 1) * BLOCK_TOKENS;
      const cacheRead = shared >= MIN_TOKENS ? shared : 0;
      const cacheable = digests.length * BLOCK_TOKENS;
      if (cacheable >= MIN_TOKENS) digests.forEach((digest) => known.add(digest));
      const isWritten = cacheable >= MIN_TOKENS && REPORTS_WRITES.test(body.model ?? '');
      const cacheWrite = isWritten ? cacheable - cacheRead : 0;
      return { input: total - cacheRead - cacheWrite, cacheRead, cacheWrite };
    },
  };
};
