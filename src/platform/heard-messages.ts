import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';

/** A chat or thread. Its key begins with its stream, which is a unit of access: a Slack channel or a Discord server. */
interface Place<M> {
  /** Oldest first, without a gap from the first one to now. */
  messages: readonly Heard<M>[];
  /** The first message of a thread, which is kept however old it is. */
  root: Heard<M> | undefined;
  /** There are no older messages than these. */
  isWhole: boolean;
  bytes: number;
}

interface Heard<M> {
  readonly id: string;
  readonly message: M;
  /** Set when it is first measured. */
  bytes?: number;
}

interface Stream {
  /** Threads that begin after this message are heard from their beginning. */
  threadsAfter: string;
  newest: string;
}

/** What the platform returned for the messages before one of them. */
export interface Listed<M> {
  /** In any order. */
  readonly messages: readonly Heard<M>[];
  /** There are no older messages. */
  readonly isWhole: boolean;
  /** Newer ones before that message may be missing. */
  readonly hasGap?: true;
}

export interface HeardOptions<M> {
  readonly clock: Clock;
  readonly isNewer: (id: string, than: string) => boolean;
  /** The message as it is known, with what it lacks of the same message from another source. */
  readonly merge: (known: M, same: M) => M;
  readonly bytesOf: (message: M) => number;
}

type Change<M> = (known: M) => M | undefined;

const REMOVE = (): undefined => undefined;

const MAX_MESSAGES = 60;
const MAX_PLACE_BYTES = 128 * 2 ** 10;
const MAX_PLACES = 5_000;
const MAX_BYTES = 16 * 2 ** 20;
const MAX_STREAMS = 10_000;
const KEPT_MS = 60 * 60_000;
/** How long a result that was read ahead waits for its message. */
const READ_AHEAD_MS = 30_000;
const MAX_READ_AHEAD = 200;
const MAX_DELETED = 2_000;
/** For the objects around a message. */
const OVERHEAD_BYTES = 200;

const streamOf = (place: string): string => place.split(' ', 1)[0] ?? place;

/** The key of a thread in a chat. */
export const threadIn = (stream: string, thread: string): string => `${stream} ${thread}`;

/**
 * The messages that a channel heard itself, so that they need not be read from the platform again. It answers only for
 * what it heard without a gap, after reading once what came before: a lost connection forgets everything. Bounded in
 * messages, bytes and age.
 */
export class HeardMessages<M> {
  readonly #options: HeardOptions<M>;
  readonly #places: LRUCache<string, Place<M>>;
  readonly #streams = new LRUCache<string, Stream>({ max: MAX_STREAMS });
  readonly #readAhead: LRUCache<string, Promise<readonly M[]>>;
  /** A deleted message may be delivered again. */
  readonly #deleted = new LRUCache<string, true>({ max: MAX_DELETED });
  /** Changes that arrive while a place is being read: the response may be older than they are. */
  readonly #changesWhileReading = new Map<string, Map<string, Change<M>>>();
  #isListening = false;
  #epoch = 0;

  constructor(options: HeardOptions<M>) {
    this.#options = options;
    const { clock } = options;
    const aging = { perf: { now: () => clock.monotonicMs() }, ttlResolution: 0 };
    this.#places = new LRUCache<string, Place<M>>({
      ...aging,
      ttl: KEPT_MS,
      max: MAX_PLACES,
      maxSize: MAX_BYTES,
      sizeCalculation: ({ bytes }) => bytes + OVERHEAD_BYTES,
      dispose: (_place, key, reason) => {
        if (reason === 'evict' || reason === 'expire') this.#distrustThreads(key);
      },
    });
    this.#readAhead = new LRUCache({ ...aging, ttl: READ_AHEAD_MS, max: MAX_READ_AHEAD });
  }

  /** Events are missed from here on. What was heard before is forgotten. */
  eventsLost(): void {
    this.eventsDelayed();
    this.#places.clear();
    this.#streams.clear();
    this.#readAhead.clear();
  }

  /** Events arrive late from here on, and none is missed. */
  eventsDelayed(): void {
    this.#isListening = false;
    this.#epoch += 1;
  }

  /** All events arrive from here on. */
  listen(): void {
    this.#isListening = true;
  }

  /** A new message. `thread`: where it is part of a thread, which may have its root in the stream. */
  said(stream: string, id: string, message: M, thread?: string): void {
    const known = this.#streams.get(stream);
    const { isNewer } = this.#options;
    if (!known) this.#streams.set(stream, { threadsAfter: id, newest: id });
    else if (isNewer(id, known.newest)) known.newest = id;
    const key = thread === undefined ? stream : threadIn(stream, thread);
    if (this.#deleted.has(`${key} ${id}`)) return;
    const place = this.#places.get(key) ?? this.#open(stream, thread);
    const first = place.messages[0];
    // An older message arrives late; nothing is known about those between.
    if (first && !place.isWhole && isNewer(first.id, id)) return;
    this.#keep(key, { ...place, messages: this.#insert(place.messages, { id, message }) });
  }

  /** An edit. Messages that are not kept are not affected. */
  changed(place: string, id: string, change: (known: M) => M): void {
    this.#apply(place, id, change);
  }

  removed(place: string, id: string): void {
    this.#deleted.set(`${place} ${id}`, true);
    this.#apply(place, id, REMOVE);
  }

  #apply(place: string, id: string, change: Change<M>): void {
    this.#changesWhileReading.get(place)?.set(id, change);
    const known = this.#places.get(place);
    if (!known) return;
    const apply = (heard: Heard<M>): readonly Heard<M>[] => {
      if (heard.id !== id) return [heard];
      const message = change(heard.message);
      return message === undefined ? [] : [{ id, message }];
    };
    const messages = known.messages.flatMap(apply);
    this.#keep(place, { ...known, messages, root: known.root && apply(known.root)[0] });
  }

  /** Messages of this place, or of all places of this stream, may have been missed. */
  forget(placeOrStream: string): void {
    for (const key of this.#places.keys())
      if (key === placeOrStream || streamOf(key) === placeOrStream) this.#places.delete(key);
    this.#streams.delete(placeOrStream);
  }

  /**
   * The messages of a place before one of them, oldest first: at least `limit` if there are so many, and the root. From
   * memory if they were heard; otherwise `list` asks the platform. A second call for the same messages shares the request.
   */
  async before(
    place: string,
    before: string,
    limit: number,
    list: () => Promise<Listed<M>>,
  ): Promise<readonly M[]> {
    const heard = this.#heardBefore(place, before, limit);
    if (heard) return heard;
    const key = `${place} before ${before}`;
    const underWay = this.#readAhead.get(key);
    if (underWay) return underWay;
    const reading = this.#read(place, before, list);
    this.#readAhead.set(key, reading);
    // The next call tries again.
    reading.catch(() => this.#readAhead.delete(key));
    return reading;
  }

  /** Whether every message of the place is known. */
  isWhole(place: string): boolean {
    return this.#isListening && this.#places.get(place)?.isWhole === true;
  }

  #heardBefore(place: string, before: string, limit: number): readonly M[] | undefined {
    const known = this.#isListening ? this.#places.get(place) : undefined;
    if (!known) return undefined;
    const { isNewer } = this.#options;
    const earlier = known.messages.filter(({ id }) => isNewer(before, id));
    if (!known.isWhole && earlier.length < limit) return undefined;
    const { root } = known;
    const isMissing = root && !earlier.some(({ id }) => id === root.id);
    return (isMissing ? [root, ...earlier] : earlier).map(({ message }) => message);
  }

  async #read(place: string, before: string, list: () => Promise<Listed<M>>): Promise<readonly M[]> {
    const epoch = this.#epoch;
    const changes = this.#changesWhileReading.get(place) ?? new Map<string, Change<M>>();
    this.#changesWhileReading.set(place, changes);
    let listed: Listed<M>;
    try {
      listed = await list();
    } finally {
      if (this.#changesWhileReading.get(place) === changes) this.#changesWhileReading.delete(place);
    }
    const { isNewer } = this.#options;
    const messages = listed.messages
      .flatMap(({ id, message }): readonly Heard<M>[] => {
        const change = changes.get(id);
        const changed = change ? change(message) : message;
        return changed === undefined ? [] : [{ id, message: changed }];
      })
      .toSorted((a, b) => (isNewer(a.id, b.id) ? 1 : -1));
    const isJoined = this.#isListening && epoch === this.#epoch && !listed.hasGap;
    if (isJoined) this.#join(place, before, { ...listed, messages });
    return messages.map(({ message }) => message);
  }

  /** Puts what was read before what was heard, if nothing is missing between them. */
  #join(place: string, before: string, { messages, isWhole }: Listed<M>): void {
    const { isNewer, merge } = this.#options;
    const known = this.#places.get(place);
    const first = known?.messages[0];
    if (!known || !first || isNewer(first.id, before)) return;
    const heard = new Map(known.messages.map(({ id, message }) => [id, message]));
    const earlier = messages.map(({ id, message }) => {
      const same = heard.get(id);
      return { id, message: same === undefined ? message : merge(same, message) };
    });
    const read = new Set(messages.map(({ id }) => id));
    const joined = [...earlier, ...known.messages.filter(({ id }) => !read.has(id))];
    const rootId = place.split(' ', 2)[1];
    const root = joined.find(({ id }) => id === rootId) ?? known.root;
    this.#keep(place, {
      ...known,
      messages: joined.toSorted((a, b) => (isNewer(a.id, b.id) ? 1 : -1)),
      root,
      isWhole,
    });
  }

  /** A thread whose root was heard after hearing began has no earlier messages than the first one heard. */
  #open(stream: string, thread: string | undefined): Place<M> {
    const empty = { messages: [], root: undefined, isWhole: false, bytes: 0 };
    const since = this.#streams.get(stream)?.threadsAfter;
    if (thread === undefined || since === undefined) return empty;
    const { isNewer } = this.#options;
    const isHeard = !isNewer(since, thread);
    const root = isHeard ? this.#places.get(stream)?.messages.find(({ id }) => id === thread) : undefined;
    return root ? { messages: [root], root, isWhole: true, bytes: 0 } : empty;
  }

  #insert(messages: readonly Heard<M>[], added: Heard<M>): readonly Heard<M>[] {
    const { isNewer, merge } = this.#options;
    const at = messages.findLastIndex(({ id }) => !isNewer(id, added.id));
    const same = messages[at];
    return same?.id === added.id
      ? // Delivered again: it may have been edited since.
        messages.with(at, { id: added.id, message: merge(same.message, added.message) })
      : messages.toSpliced(at + 1, 0, added);
  }

  /** Stores a place within its bounds. */
  #keep(key: string, place: Place<M>): void {
    const { bytesOf } = this.#options;
    const sizes = place.messages.map((heard) => (heard.bytes ??= bytesOf(heard.message) + OVERHEAD_BYTES));
    let bytes = sizes.reduce((sum, size) => sum + size, 0);
    let from = Math.max(0, sizes.length - MAX_MESSAGES);
    for (let index = 0; index < from; index += 1) bytes -= sizes[index] ?? 0;
    for (; bytes > MAX_PLACE_BYTES && from < sizes.length; from += 1) bytes -= sizes[from] ?? 0;
    const isWhole = place.isWhole && from === 0;
    this.#places.set(key, { ...place, messages: place.messages.slice(from), isWhole, bytes });
  }

  /** A forgotten thread must not be taken for one that was heard from its beginning. */
  #distrustThreads(key: string): void {
    const stream = this.#streams.peek(streamOf(key));
    if (stream) stream.threadsAfter = stream.newest;
  }
}
