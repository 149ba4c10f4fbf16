/** One call in an answer; `json` replaces the argument text where it should be something else than JSON of `input`. */
export interface FakeToolCall {
  readonly id?: string;
  readonly name: string;
  readonly input?: unknown;
  readonly json?: string;
}

/** What a fake model streams before anything goes wrong. */
export interface FakeAnswer {
  readonly thinking?: string;
  readonly text?: string;
  readonly toolCalls?: readonly FakeToolCall[];
  /** In the provider's own words (`end_turn`, `max_tokens`, `refusal` …); derived from the content when absent. */
  readonly stopReason?: string;
  /** Text and argument text are sent in pieces of so many characters. Default: 12. */
  readonly pieceChars?: number;
}

/** What a fake model server does with one request. The same words for every provider. */
export type FakeReply =
  | ({ readonly kind: 'answer' } & FakeAnswer)
  /** An HTTP error with the provider's error body. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly type?: string;
      readonly code?: string;
      readonly message?: string;
      readonly retryAfterSeconds?: number;
    }
  /** HTTP 200, the content of `answer`, then the provider's error event instead of the end. */
  | { readonly kind: 'stream-error'; readonly type: string; readonly answer?: FakeAnswer }
  /** The body of a recording, byte for byte. */
  | { readonly kind: 'recorded'; readonly body: string | Uint8Array }
  /** The content of `answer`, then the body ends properly without the terminal event. */
  | { readonly kind: 'cut'; readonly answer?: FakeAnswer }
  /** The content of `answer`, then nothing more, for ever. Without `answer` not even headers come. */
  | { readonly kind: 'stall'; readonly answer?: FakeAnswer }
  /** The content of `answer`, then the connection is destroyed. Without `answer` before any header. */
  | { readonly kind: 'reset'; readonly answer?: FakeAnswer }
  /** The call's arguments stop in the middle; the block is closed, and the stop reason is the length limit. */
  | { readonly kind: 'truncated-tool'; readonly name: string; readonly json: string; readonly text?: string }
  /** Waits for the promise (headers already sent when `answer` is given, with its content), then does `then`. */
  | {
      readonly kind: 'hold';
      readonly until: Promise<void>;
      readonly answer?: FakeAnswer;
      readonly then: FakeReply;
    };

/** A reply, or what makes one of the request. */
export type FakeScript<Request> = FakeReply | ((request: Request) => FakeReply);

/** Every request a fake got, in order, whatever became of it. */
export interface FakeExchange<Body> {
  readonly path: string;
  /** As the header of the reply names it. */
  readonly requestId: string;
  /** The key the client sent. */
  readonly apiKey: string;
  readonly body: Body;
  /** `refused`: the request broke a rule of the API, and `problem` says which. */
  readonly outcome: FakeReply['kind'] | 'refused';
  readonly problem?: string;
  /** As reported to the client, where the reply had a usage. */
  readonly usage?: FakeUsage;
  /** True once the client closed the connection before the reply was complete. */
  readonly wasAborted: () => boolean;
}

/** The tokens of one request in neutral words: `input` are the uncached ones. */
export interface FakeUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}
