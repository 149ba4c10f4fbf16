import type { FakeAnswer, FakeToolCall, FakeUsage } from '#test/fakes/model-reply.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

/**
 * The JSON of a request to either API. The named fields have these types once the request was accepted; a
 * refused one can hold anything.
 */
export interface OpenAiBody extends JsonRecord {
  readonly model?: string;
  readonly stream?: boolean;
  readonly store?: boolean;
  readonly instructions?: string;
  readonly input?: string | readonly JsonRecord[];
  readonly messages?: readonly JsonRecord[];
  readonly tools?: readonly JsonRecord[];
}

/** How one of the two APIs says things. One writer per request; it remembers what it has already said. */
export interface ReplyWriter {
  /** What a stream begins with. */
  readonly begin: () => readonly string[];
  /** Whole output items: a stream that breaks afterwards breaks between items, which is the easiest to take for an end. */
  readonly content: (answer: FakeAnswer) => readonly string[];
  /** The terminal event, or events. */
  readonly end: () => readonly string[];
  /** The error in the middle of a stream; `status` is for a client that did not ask for one. */
  readonly fail: (type: string) => { readonly events: readonly string[]; readonly status: number };
  /** All that was said, as the body of a reply that is not streamed. */
  readonly document: () => unknown;
  /** What the client was told about tokens; nothing where it did not ask. */
  readonly usage: () => FakeUsage | undefined;
}

/** Pieces of whole characters, as the real API never cuts a surrogate pair. */
export const pieces = (text: string, { pieceChars = 12 }: FakeAnswer): readonly string[] => {
  const characters = Array.from(text);
  return Array.from({ length: Math.ceil(characters.length / pieceChars) }, (_, index) =>
    characters.slice(index * pieceChars, (index + 1) * pieceChars).join(''),
  );
};

/** One of each in turn, until all are used up. */
export const interleave = <T>(rows: readonly (readonly T[])[]): readonly T[] =>
  Array.from({ length: Math.max(0, ...rows.map(({ length }) => length)) }, (_, index) =>
    rows.flatMap((row) => row.slice(index, index + 1)),
  ).flat();

export const argumentText = ({ json, input }: FakeToolCall): string => json ?? JSON.stringify(input ?? {});

/** What a model says that refuses and was given no words. */
export const REFUSAL = 'I cannot help with that.';
