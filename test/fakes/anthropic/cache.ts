import { createHash } from 'node:crypto';
import type { AnthropicBody, CacheControl } from './body.ts';
import { type PromptBlock, tokensOfPrompt } from './prompt.ts';

/** How the tokens of one prompt were counted: read + written + uncached are all of it. */
export interface CachedPrompt {
  readonly read: number;
  readonly written5m: number;
  readonly written1h: number;
  readonly uncached: number;
}

interface Entry {
  readonly ttlMs: number;
  readonly expiresAtMs: number;
}

/** A place up to which the prompt can be cached: its prefix in one word, and how many tokens that has. */
interface Position {
  readonly prefix: string;
  readonly tokensUpTo: number;
  readonly mark: CacheControl | undefined;
}

/** Positions that a breakpoint looks at for an entry, its own included. */
const LOOKBACK_BLOCKS = 20;
const TTL_MS = { '5m': 5 * 60_000, '1h': 60 * 60_000 } as const;

const hash = (...parts: readonly string[]): string => {
  const sum = createHash('sha1');
  // Lengths in between, so that no two lists of parts run into the same text.
  for (const part of parts) sum.update(`${part.length}:`).update(part);
  return sum.digest('base64');
};

/** What is no block of the prompt and yet changes how its messages are read. */
const messageSettings = ({ tool_choice, thinking }: AnthropicBody): string =>
  JSON.stringify([tool_choice ?? { type: 'auto' }, thinking ?? null]);

const positionsOf = (
  apiKey: string,
  body: AnthropicBody,
  blocks: readonly PromptBlock[],
): readonly Position[] => {
  const settings = messageSettings(body);
  const positions: Position[] = [];
  let prefix = hash(apiKey, body.model);
  let tokensUpTo = 0;
  for (const { section, exactText, tokens, mark } of blocks) {
    prefix = hash(prefix, section, exactText, section === 'messages' ? settings : '');
    tokensUpTo += tokens;
    positions.push({ prefix, tokensUpTo, mark });
  }
  return positions;
};

export interface PromptCache {
  /** Reads, refreshes and writes entries as the API does once it begins to answer. */
  readonly use: (apiKey: string, body: AnthropicBody, prompt: readonly PromptBlock[]) => CachedPrompt;
}

export const createPromptCache = (now: () => number, minCacheTokens: number): PromptCache => {
  const entries = new Map<string, Entry>();

  const isAlive = (prefix: string): boolean => {
    const entry = entries.get(prefix);
    if (entry === undefined) return false;
    if (now() < entry.expiresAtMs) return true;
    entries.delete(prefix);
    return false;
  };

  const keepFor = (prefix: string, ttlMs: number): void =>
    void entries.set(prefix, { ttlMs, expiresAtMs: now() + ttlMs });

  /** The longest cached prefix that the breakpoint at this index finds. */
  const found = (positions: readonly Position[], index: number): Position | undefined =>
    positions
      .slice(Math.max(0, index + 1 - LOOKBACK_BLOCKS), index + 1)
      .findLast(({ prefix }) => isAlive(prefix));

  return {
    use: (apiKey, body, blocks) => {
      const positions = positionsOf(apiKey, body, blocks);
      const hits = positions.flatMap(({ mark }, index) =>
        mark === undefined ? [] : (found(positions, index) ?? []),
      );
      for (const { prefix } of hits) keepFor(prefix, entries.get(prefix)?.ttlMs ?? TTL_MS['5m']);

      const read = Math.max(0, ...hits.map(({ tokensUpTo }) => tokensUpTo));
      const written = { '5m': 0, '1h': 0 };
      let cachedUpTo = read;
      for (const { prefix, tokensUpTo, mark } of positions) {
        if (mark === undefined || tokensUpTo < minCacheTokens || isAlive(prefix)) continue;
        const ttl = mark.ttl ?? '5m';
        keepFor(prefix, TTL_MS[ttl]);
        // A breakpoint inside what was read gets its entry for nothing.
        written[ttl] += Math.max(0, tokensUpTo - cachedUpTo);
        cachedUpTo = Math.max(cachedUpTo, tokensUpTo);
      }
      return {
        read,
        written5m: written['5m'],
        written1h: written['1h'],
        uncached: tokensOfPrompt(blocks) - cachedUpTo,
      };
    },
  };
};
