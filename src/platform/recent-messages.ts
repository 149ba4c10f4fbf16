import { LRUCache } from 'lru-cache';
import type { Clock } from './concurrency/clock.ts';

/** A chat or thread. Its key begins with its stream, which is a unit of access: a Slack channel or a Discord server. */
interface Place<M> {
  /** Oldest first, without a gap from the first one to now. The first one also arrived first. */
  readonly messages: readonly Recent<M>[];
  /** The first message of a thread, which stays as long as the thread. */
  readonly root: Recent<M> | undefined;
  /** There are no older messages than these. */
  readonly isWhole: boolean;
  /** How many messages the platform returns at most, where that is fewer than it was asked for. */
  readonly page: number;
  readonly bytes: number;
}

interface Message<M> {
  readonly id: string;
  readonly message: M;
}

interface Recent<M> extends Message<M> {
  /** When the message arrived or was last read. */
  readonly atMs: number;
  readonly bytes: number;
}

/** A request for the messages before one of them. */
interface Reading<M> {
  readonly place: string;
  readonly listed: Promise<readonly Message<M>[]>;
  /** Edits and deletions since the request began: the response may be older. */
  readonly changes: Map<string, Change<M>>;
  /** When its response is no longer handed out. */
  endsAtMs: number;
}

/** The platform's response to a request for the messages before one of them. */
export interface Listed<M> {
  /** In any order. */
  readonly messages: readonly Message<M>[];
  /** There are no older messages. */
  readonly isWhole: boolean;
  /** Newer ones before that message may be missing. */
  readonly hasGap?: true;
}

export interface RecentMessagesOptions<M> {
  readonly clock: Clock;
  readonly isNewer: (id: string, than: string) => boolean;
  /** The least id of a message that is said at this moment. */
  readonly idAt: (moment: Temporal.Instant) => string;
  /** The message without what is never quoted. */
  readonly kept: (message: M) => M;
  /** The message as it is known, with what it lacks of the same message from another source. */
  readonly merge: (known: M, same: M) => M;
}

type Change<M> = (known: M) => M | undefined;

const REMOVE = (): undefined => undefined;

const MAX_MESSAGES = 60;
const MAX_PLACE_BYTES = 128 * 2 ** 10;
/** One takes some 2 kB at least. */
const MAX_PLACES = 2_000;
const MAX_BYTES = 16 * 2 ** 20;
const MAX_MISSED = 10_000;
/** How long a message is kept. */
export const KEPT_MS = 60 * 60_000;
/** How often places where nobody talks are looked through. */
const SWEEP_MS = 60_000;
/** How long a response waits for a second call, as where a message was read ahead of its turn. */
const READ_AHEAD_MS = 30_000;
const MAX_READ_AHEAD = 200;
const MAX_DELETED = 2_000;
const OBJECT_OVERHEAD_BYTES = 200;

const streamOf = (place: string): string => place.split(' ', 1)[0] ?? place;

/** The key of a thread in a chat. */
export const threadIn = (stream: string, thread: string): string => `${stream} ${thread}`;

const totalOf = (messages: readonly { readonly bytes: number }[]): number =>
  messages.reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * The cache of recent messages that a channel received, so that they need not be read from the platform again. It answers
 * only where its messages have no gap, after the platform was asked once for those before them: a lost connection clears it.
 * Bounded in messages, bytes and age. A message that is too old leaves memory with the next call.
 */
export class RecentMessages<M> {
  readonly #options: RecentMessagesOptions<M>;
  readonly #places: LRUCache<string, Place<M>>;
  /** The newest message up to which events may be missing in every place; `#missedIn` has it for single places and streams. */
  #missedUntil: string | undefined;
  readonly #missedIn: LRUCache<string, string>;
  readonly #readings = new Map<string, Reading<M>>();
  /** A deleted message may be delivered again, or still be listed. */
  readonly #deleted = new LRUCache<string, true>({ max: MAX_DELETED });
  #isListening = false;
  /** Grows when events may be missed or late. What was read in an earlier epoch is neither joined nor shared. */
  #epoch = 0;
  #sweepAtMs = 0;

  constructor(options: RecentMessagesOptions<M>) {
    this.#options = options;
    this.#places = new LRUCache<string, Place<M>>({
      max: MAX_PLACES,
      maxSize: MAX_BYTES,
      sizeCalculation: ({ bytes, root }) => bytes + (root?.bytes ?? 0) + OBJECT_OVERHEAD_BYTES,
      dispose: ({ messages }, key, reason) => {
        if (reason === 'evict') this.#distrust(key, messages.at(-1)?.id);
      },
    });
    this.#missedIn = new LRUCache<string, string>({
      max: MAX_MISSED,
      dispose: (id, _key, reason) => {
        if (reason === 'evict') this.#missedUntil = this.#newer(this.#missedUntil, id);
      },
    });
  }

  /** Events are missed from here on. The cache is cleared. */
  eventsLost(): void {
    this.eventsDelayed();
    this.#places.clear();
    this.#missedIn.clear();
    this.#missedUntil = undefined;
  }

  /** Events arrive late from here on, and none is missed. */
  eventsDelayed(): void {
    this.#isListening = false;
    this.#epoch += 1;
  }

  /** All events arrive from here on. */
  listen(): void {
    this.#isListening = true;
    // The ids of a platform may be cut to milliseconds.
    this.#missedUntil ??= this.#options.idAt(this.#options.clock.now().subtract({ milliseconds: 1 }));
  }

  /** A new message. `thread`: where it is part of a thread, which may have its root in the stream. */
  add(stream: string, id: string, message: M, thread?: string): void {
    const nowMs = this.#sweep();
    const key = thread === undefined ? stream : threadIn(stream, thread);
    if (this.#missedUntil === undefined || this.#deleted.has(`${key} ${id}`)) return;
    const { isNewer, kept } = this.#options;
    const place = this.#fresh(key, nowMs) ?? this.#open(stream, thread);
    const first = place.messages[0];
    // The message arrives late, and nothing is known about those between.
    if (first ? !place.isWhole && isNewer(first.id, id) : !this.#isGapless(key, id)) return;
    this.#keep(key, this.#insert(place, id, kept(message), nowMs), nowMs);
  }

  /** An edit. Messages that are not kept are not affected. */
  changed(place: string, id: string, change: (known: M) => M): void {
    this.#apply(place, id, change);
  }

  removed(place: string, id: string): void {
    this.#deleted.set(`${place} ${id}`, true);
    this.#apply(place, id, REMOVE);
  }

  /** Messages of this place, or of all places of this stream, may have been missed: up to `until`, if it is known. */
  forget(placeOrStream: string, until?: string): void {
    this.#epoch += 1;
    for (const key of this.#places.keys().toArray())
      if (key === placeOrStream || streamOf(key) === placeOrStream)
        this.#drop(key, this.#places.peek(key)?.messages.at(-1)?.id);
    this.#distrust(placeOrStream, until);
  }

  /**
   * The messages of a place before one of them, oldest first: at least `limit` if there are so many, and the root. From
   * memory if they arrived without a gap; otherwise `list` asks the platform. A second call for the same messages shares the request.
   */
  async before(
    place: string,
    before: string,
    limit: number,
    list: () => Promise<Listed<M>>,
  ): Promise<readonly M[]> {
    const nowMs = this.#sweep();
    const cached = this.#isListening
      ? this.#cachedBefore(this.#fresh(place, nowMs), before, limit)
      : undefined;
    if (cached) return cached.map(({ message }) => message);
    this.#endReadings(nowMs);
    const key = `${this.#epoch} ${place} before ${before}`;
    const reading = this.#readings.get(key) ?? this.#read(key, place, before, limit, list);
    return this.#current(reading, await reading.listed).map(({ message }) => message);
  }

  #cachedBefore(
    place: Place<M> | undefined,
    before: string,
    limit: number,
  ): readonly Message<M>[] | undefined {
    if (!place) return undefined;
    const { messages, root, isWhole, page } = place;
    const end = messages.findLastIndex(({ id }) => this.#options.isNewer(before, id)) + 1;
    if (!isWhole && end < Math.min(limit, page)) return undefined;
    const earlier = messages.slice(0, end);
    return root && earlier[0]?.id !== root.id ? [root, ...earlier] : earlier;
  }

  #read(
    key: string,
    place: string,
    before: string,
    limit: number,
    list: () => Promise<Listed<M>>,
  ): Reading<M> {
    const { isNewer, kept, clock } = this.#options;
    const epoch = this.#epoch;
    const take = ({ messages, isWhole, hasGap }: Listed<M>): readonly Message<M>[] => {
      reading.endsAtMs = clock.monotonicMs() + READ_AHEAD_MS;
      const inOrder = messages
        .map(({ id, message }) => ({ id, message: kept(message) }))
        .toSorted((a, b) => (isNewer(a.id, b.id) ? 1 : -1));
      const page = isWhole || inOrder.length >= limit ? Infinity : Math.max(1, inOrder.length);
      if (this.#isListening && epoch === this.#epoch && !hasGap)
        this.#join(place, before, this.#current(reading, inOrder), { isWhole, page });
      return inOrder;
    };
    const reading: Reading<M> = { place, listed: list().then(take), changes: new Map(), endsAtMs: Infinity };
    this.#readings.set(key, reading);
    // The next call tries again.
    reading.listed.catch(() => this.#readings.delete(key));
    return reading;
  }

  /** The listed messages with all changes since the request. */
  #current({ place, changes }: Reading<M>, listed: readonly Message<M>[]): readonly Message<M>[] {
    return listed.flatMap((each) => {
      const { id, message } = each;
      if (this.#deleted.has(`${place} ${id}`)) return [];
      const change = changes.get(id);
      if (!change) return [each];
      const changed = change(message);
      return changed === undefined ? [] : [{ id, message: this.#options.kept(changed) }];
    });
  }

  /** Responses that are over are let go. A request that is under way still needs to be told of changes. */
  #endReadings(nowMs: number): void {
    for (const [key, { endsAtMs }] of this.#readings)
      if (endsAtMs <= nowMs || (endsAtMs < Infinity && this.#readings.size > MAX_READ_AHEAD))
        this.#readings.delete(key);
  }

  /** Puts the messages that were read before those that arrived, if none is missing between them. */
  #join(
    key: string,
    before: string,
    earlier: readonly Message<M>[],
    found: Pick<Place<M>, 'isWhole' | 'page'>,
  ): void {
    const { isNewer, merge, clock } = this.#options;
    const nowMs = clock.monotonicMs();
    const place = this.#fresh(key, nowMs);
    const first = place?.messages[0];
    if (!place || !first || isNewer(first.id, before)) return;
    const atMs = place.messages.find(({ id }) => !isNewer(before, id))?.atMs ?? nowMs;
    const known = new Map(place.messages.map((each) => [each.id, each]));
    const read = earlier.map(({ id, message }) => {
      const same = known.get(id);
      known.delete(id);
      const merged = same ? merge(same.message, message) : message;
      return same && merged === same.message ? { ...same, atMs } : this.#entry(id, merged, atMs);
    });
    const joined = [...read, ...known.values()].toSorted((a, b) => (isNewer(a.id, b.id) ? 1 : -1));
    const [oldest] = joined;
    const root = oldest?.id === key.split(' ', 2)[1] ? oldest : place.root;
    // Between the root of a long thread and the messages that were read there are others.
    const isApart = !found.isWhole && root === oldest && joined.length > 1;
    const messages = isApart ? joined.slice(1) : joined;
    this.#keep(key, { ...found, messages, root, bytes: totalOf(messages) }, nowMs);
  }

  #apply(key: string, id: string, change: Change<M>): void {
    const nowMs = this.#sweep();
    for (const { place, changes } of this.#readings.values()) {
      if (place !== key) continue;
      const earlier = changes.get(id);
      const both = (known: M): M | undefined => {
        const changed = earlier?.(known);
        return changed === undefined ? undefined : change(changed);
      };
      changes.set(id, earlier ? both : change);
    }
    const place = this.#fresh(key, nowMs);
    if (!place) return;
    const isRoot = place.root?.id === id;
    const at = place.messages.findLastIndex((each) => each.id === id);
    const old = place.messages[at] ?? (isRoot ? place.root : undefined);
    if (!old) return;
    const changed = change(old.message);
    if (changed === old.message) return;
    const entries = changed === undefined ? [] : [this.#entry(id, this.#options.kept(changed), old.atMs)];
    const messages = at === -1 ? place.messages : place.messages.toSpliced(at, 1, ...entries);
    const root = isRoot ? entries[0] : place.root;
    if (messages.length === 0) this.#drop(key, id);
    else this.#keep(key, { ...place, messages, root, bytes: totalOf(messages) }, nowMs);
  }

  /** A thread whose root arrived as it was written has no earlier messages than the first one that arrived. */
  #open(stream: string, thread: string | undefined): Place<M> {
    const isGapless = thread !== undefined && this.#isGapless(threadIn(stream, thread), thread);
    const root = isGapless ? this.#places.get(stream)?.messages.find(({ id }) => id === thread) : undefined;
    const messages = root ? [root] : [];
    return { messages, root, isWhole: root !== undefined, page: Infinity, bytes: totalOf(messages) };
  }

  #insert(place: Place<M>, id: string, message: M, nowMs: number): Place<M> {
    const { isNewer, merge } = this.#options;
    const { messages, bytes } = place;
    const at = messages.findLastIndex((each) => !isNewer(each.id, id));
    const same = messages[at];
    if (same?.id !== id) {
      const added = this.#entry(id, message, messages[at + 1]?.atMs ?? nowMs);
      return { ...place, messages: messages.toSpliced(at + 1, 0, added), bytes: bytes + added.bytes };
    }
    // Delivered again: it may have been edited since.
    const merged = merge(same.message, message);
    if (merged === same.message) return place;
    const entry = this.#entry(id, merged, same.atMs);
    return { ...place, messages: messages.with(at, entry), bytes: bytes + entry.bytes - same.bytes };
  }

  #entry(id: string, message: M, atMs: number): Recent<M> {
    return { id, message, atMs, bytes: 2 * JSON.stringify(message).length + OBJECT_OVERHEAD_BYTES };
  }

  /** Stores a place within its bounds. */
  #keep(key: string, place: Place<M>, nowMs: number): void {
    const { messages } = place;
    let { bytes } = place;
    let from = 0;
    for (const entry of messages) {
      const isTooMuch = messages.length - from > MAX_MESSAGES || bytes > MAX_PLACE_BYTES;
      if (!isTooMuch && !this.#isOld(entry, nowMs)) break;
      bytes -= entry.bytes;
      from += 1;
    }
    if (from === 0) this.#places.set(key, place);
    else if (from === messages.length) this.#drop(key, messages.at(-1)?.id);
    else this.#places.set(key, { ...place, messages: messages.slice(from), isWhole: false, bytes });
  }

  /** A place without what has become too old. */
  #fresh(key: string, nowMs: number): Place<M> | undefined {
    const place = this.#places.get(key);
    if (!place || !this.#isOld(place.messages[0], nowMs)) return place;
    this.#keep(key, place, nowMs);
    return this.#places.get(key);
  }

  #isOld(entry: Recent<M> | undefined, nowMs: number): boolean {
    return entry !== undefined && nowMs - entry.atMs >= KEPT_MS;
  }

  /** Lets go what is too old in all places, now and then. Returns the time. */
  #sweep(): number {
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs < this.#sweepAtMs) return nowMs;
    this.#sweepAtMs = nowMs + SWEEP_MS;
    for (const key of this.#places.rkeys().toArray())
      if (this.#isOld(this.#places.peek(key)?.messages[0], nowMs)) this.#fresh(key, nowMs);
    this.#endReadings(nowMs);
    return nowMs;
  }

  #drop(key: string, newest: string | undefined): void {
    this.#places.delete(key);
    this.#distrust(key, newest);
  }

  /** A place that left the cache must not be taken for one that was received from its beginning. */
  #distrust(placeOrStream: string, until: string | undefined): void {
    const id = this.#newer(this.#missedIn.peek(placeOrStream), until);
    if (id !== undefined) this.#missedIn.set(placeOrStream, id);
  }

  /** Whether the place misses nothing that was said since this message. */
  #isGapless(key: string, id: string): boolean {
    const until = [this.#missedUntil, this.#missedIn.get(streamOf(key)), this.#missedIn.get(key)];
    return until.every((missing) => missing === undefined || this.#options.isNewer(id, missing));
  }

  #newer(id: string | undefined, other: string | undefined): string | undefined {
    if (id === undefined || other === undefined) return id ?? other;
    return this.#options.isNewer(id, other) ? id : other;
  }
}
