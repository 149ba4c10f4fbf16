import { LRUCache } from 'lru-cache';
import type { ProviderRequest } from './adapter.ts';

interface BodyOptions {
  readonly body: Uint8Array;
  readonly headers: { readonly 'content-type': 'application/json' };
}

/** The parts of a request that do not change from message to message; `system` and `instructions` are the system prompt. */
interface StableParts {
  readonly tools?: unknown;
  readonly system?: unknown;
  readonly instructions?: unknown;
}

/** A prompt differs by agent, platform and language, and in direct chats by the person's profile. About 12 kB each. */
const MAX_PROMPTS = 200;

/** Fields as JSON, with a comma after the last. */
const fieldsOf = (parts: StableParts): Buffer => Buffer.from(`${JSON.stringify(parts).slice(1, -1)},`);

const START = Buffer.from('{');

/**
 * Writes requests as JSON, as options of an SDK. The list of tools and the system prompt are the largest parts of most
 * requests and the same in all of them, so they are written once.
 */
export const createBodyWriter = (): ((
  request: StableParts & { readonly stream: true },
  of: Pick<ProviderRequest, 'tools' | 'systemPrompt'>,
) => BodyOptions) => {
  const toolFields = new WeakMap<ProviderRequest['tools'], Buffer>();
  const promptFields = new LRUCache<string, Buffer>({ max: MAX_PROMPTS });
  const ofPrompt = (prompt: string, parts: StableParts): Buffer => {
    const known = promptFields.get(prompt);
    if (known) return known;
    const fields = fieldsOf(parts);
    promptFields.set(prompt, fields);
    return fields;
  };
  return ({ tools, system, instructions, ...rest }, { tools: list, systemPrompt }) => {
    const parts = [
      START,
      ...(tools === undefined ? [] : [toolFields.getOrInsertComputed(list, () => fieldsOf({ tools }))]),
      // Some APIs have the prompt among the messages.
      ...(system === undefined && instructions === undefined
        ? []
        : [ofPrompt(systemPrompt, { system, instructions })]),
      Buffer.from(JSON.stringify(rest).slice(1)),
    ];
    return { body: Buffer.concat(parts), headers: { 'content-type': 'application/json' } };
  };
};
