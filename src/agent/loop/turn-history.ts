import type { SessionKey, TurnId } from '#src/kernel/ids.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { blocksIn, samplesIn } from '../content-blocks.ts';
import type { TranscriptEntry, TranscriptStore } from '../memory/transcript/transcript-store.ts';
import { withoutOldImages } from './turn-message.ts';
import { type PictureScope, type RefusedPart, withoutPart, withoutPictures } from './refused-content.ts';

/** Above this size, pictures that the model no longer reads are left out of what is loaded for every message. */
const MAX_PICTURE_CHARS = 16_000_000;

const pictureChars = (messages: readonly ConversationMessage[]): number =>
  blocksIn(messages, 'image').reduce((sum, { base64 }) => sum + base64.length, 0);

/**
 * A conversation as seen by one turn: all messages, and this turn at the end. Suspended turns of others are
 * excluded: their calls have no results yet, and they are resumed separately.
 */
export class TurnHistory {
  readonly #store: TranscriptStore;
  readonly #sessionKey: SessionKey;
  readonly #turnId: TurnId;
  #before: readonly TranscriptEntry[];
  #own: TranscriptEntry[];
  /** Resolves when the last message is stored, or could not be. */
  #storing: Promise<void> | undefined;
  readonly #resting: readonly TranscriptEntry[];

  private constructor(
    store: TranscriptStore,
    sessionKey: SessionKey,
    turnId: TurnId,
    entries: readonly TranscriptEntry[],
    live: ReadonlySet<TurnId>,
  ) {
    this.#store = store;
    this.#sessionKey = sessionKey;
    this.#turnId = turnId;
    this.#own = entries.filter((entry) => entry.turnId === turnId);
    this.#resting = entries.filter((entry) => entry.turnId !== turnId && live.has(entry.turnId));
    this.#before = entries.filter((entry) => entry.turnId !== turnId && !live.has(entry.turnId));
  }

  /** Loads and repairs; `live` are open or suspended turns, which must not be repaired. */
  static async open(
    store: TranscriptStore,
    sessionKey: SessionKey,
    turnId: TurnId,
    live: ReadonlySet<TurnId>,
  ): Promise<TurnHistory> {
    const history = new TurnHistory(store, sessionKey, turnId, await store.load(sessionKey, live), live);
    if (pictureChars(history.messages) > MAX_PICTURE_CHARS)
      await history.#rewrite(withoutOldImages(history.messages));
    return history;
  }

  get entries(): readonly TranscriptEntry[] {
    return [...this.#before, ...this.#own];
  }

  get messages(): readonly ConversationMessage[] {
    return this.entries.map(({ message }) => message);
  }

  get ofThisTurn(): readonly ConversationMessage[] {
    return this.#own.map(({ message }) => message);
  }

  /** Sample numbers of earlier turns and of quotes in this one, which an answer may repeat. */
  get earlierSamples(): readonly Fact[] {
    return [
      ...samplesIn(this.#before.map(({ message }) => message)),
      ...this.#own.flatMap(({ message }) => (message.facts ?? []).filter(({ isSample }) => isSample)),
    ];
  }

  /** The message belongs to the conversation at once. Resolves when it is stored; if that fails, it is taken out again. */
  readonly append = (message: ConversationMessage): Promise<void> => {
    const { entry, stored } = this.#store.startAppend(this.#sessionKey, { turnId: this.#turnId, message });
    this.#own.push(entry);
    const done = stored.catch((error: unknown) => {
      this.#own = this.#own.filter((each) => each !== entry);
      throw error;
    });
    this.#storing = done.catch(() => undefined);
    return done;
  };

  /** Replaces the conversation by a shorter one, in the database too. */
  async replace(entries: readonly TranscriptEntry[]): Promise<void> {
    await this.#storing;
    await this.#store.replace(this.#sessionKey, [...entries, ...this.#resting]);
    this.#own = entries.filter((entry) => entry.turnId === this.#turnId);
    this.#before = entries.filter((entry) => entry.turnId !== this.#turnId);
  }

  /** Removes these pictures from all later requests; the whole conversation keeps them. */
  readonly dropPictures = (scope: PictureScope): Promise<void> =>
    this.#rewrite(withoutPictures(this.messages, scope));

  /** The conversation without this part; undefined if it has no such part. */
  without(part: RefusedPart): readonly ConversationMessage[] | undefined {
    const { entries } = this;
    const left = withoutPart(this.#before, this.#own, part);
    const isSame = left.length === entries.length && left.every((entry, index) => entry === entries[index]);
    return isSame ? undefined : left.map(({ message }) => message);
  }

  /** Removes this part from all later requests; the whole conversation keeps it. */
  readonly leaveOut = (part: RefusedPart): Promise<void> =>
    this.replace(withoutPart(this.#before, this.#own, part));

  /** Rewrites the messages of the same entries, in the database too, if any differs. */
  async #rewrite(messages: readonly ConversationMessage[]): Promise<void> {
    const { entries } = this;
    if (messages.every((message, index) => message === entries[index]?.message)) return;
    await this.replace(
      entries.map((entry, index) => ({ ...entry, message: messages[index] ?? entry.message })),
    );
  }
}
