import type { ServerResponse } from 'node:http';
import type { FakeAnswer, FakeUsage } from '../model-reply.ts';
import type { AnthropicBody } from './body.ts';
import type { CachedPrompt } from './cache.ts';
import type { ErrorWords } from './errors.ts';

/** What a reply is made with. */
export interface WireDeps {
  readonly response: ServerResponse;
  readonly body: AnthropicBody;
  readonly requestId: string;
  readonly sign: (thinking: string) => string;
  /** Looks the prompt up in the cache: once, when the model begins to answer. */
  readonly readPrompt: () => CachedPrompt;
  /** Called with every usage that the client is told; the last one counts. */
  readonly report: (usage: FakeUsage) => void;
}

/** How an answer goes to the client: event by event, or as one JSON in the end. */
export interface Wire {
  readonly add: (answer: FakeAnswer) => void;
  /** The proper end. */
  readonly finish: (stopReason: string | undefined) => void;
  /** An error of the provider, in the form in which it can still be told. */
  readonly fail: (words: ErrorWords) => void;
  /** What was added is on its way although the message is not complete, nor will be. */
  readonly sendPart: () => void;
  /** The body ends here, as if that were all. */
  readonly end: () => void;
}
