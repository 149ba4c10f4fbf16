import type { Ack, Answer, FakeView, InteractionHandle, Json } from './api.ts';
import { compose } from './compose.ts';
import { type Core, show } from './core.ts';
import { SlackRefusal } from './errors.ts';
import { tellChanged, tellDeleted, tellPosted } from './events.ts';
import type { MessageEntry } from './history.ts';
import { renderedOf } from './render.ts';
import { wireMessage } from './wire.ts';
import { BOT, secretOf, type StoredMessage } from './world.ts';

const TRIGGER_LIFE_MS = 3_000;
const RESPONSE_LIFE_MS = 30 * 60_000;
const RESPONSE_USES = 5;

/** Where a person was when they did something. */
export interface Scene {
  readonly user: string;
  readonly channel?: string;
  /** The message that they acted on. */
  readonly message?: StoredMessage;
  /** The view that they sent. */
  readonly view?: FakeView;
}

/** One act of a person, with the keys that Slack hands out for it. */
export class Interaction implements InteractionHandle {
  readonly scene: Scene;
  readonly triggerId: string;
  readonly responseUrl: string;
  readonly secret: string;
  readonly settled: Promise<Ack | undefined>;
  readonly answers: Answer[] = [];
  envelopeId = '';
  ack: Ack | undefined;
  isTimedOut = false;
  readonly #core: Core;
  readonly #bornMs: number;
  readonly #settle: (ack: Ack | undefined) => void;
  #isTriggerUsed = false;
  #responses = 0;

  constructor(core: Core, scene: Scene) {
    this.#core = core;
    this.#bornMs = core.clock.monotonicMs();
    this.scene = scene;
    const id = core.world.newId('X');
    this.secret = secretOf('response', id);
    this.triggerId = `${id}.${secretOf('trigger', id)}`;
    this.responseUrl = `${core.url}/response/${this.secret}`;
    const { promise, resolve } = Promise.withResolvers<Ack | undefined>();
    this.settled = promise;
    this.#settle = resolve;
  }

  get acknowledgedAfterMs(): number | undefined {
    return this.ack?.afterMs;
  }

  onAck(ack: Ack): void {
    this.ack = ack;
    try {
      if (this.scene.view === undefined && (ack.payload['text'] ?? ack.payload['blocks']) !== undefined) {
        this.#write(ack.payload, 'ack');
      }
    } finally {
      this.#settle(ack);
    }
  }

  /** The person reads that it did not work. */
  onGivenUp(what: string): void {
    this.isTimedOut = true;
    const { channel, user } = this.scene;
    if (channel !== undefined) {
      const text = `${what} failed with the error "operation_timeout"`;
      this.#core.world.addMessage({ channel, user: 'USLACKBOT', text, ephemeralFor: user });
    }
    this.#settle(undefined);
  }

  /** Opens a view with the trigger, which works for three seconds and once. */
  useTrigger(): void {
    if (this.#core.clock.monotonicMs() - this.#bornMs > TRIGGER_LIFE_MS) {
      throw new SlackRefusal('expired_trigger_id');
    }
    if (this.#isTriggerUsed) throw new SlackRefusal('exchanged_trigger_id');
    this.#isTriggerUsed = true;
  }

  /** A post to the response_url. */
  respond(body: Json): void {
    if (this.#core.clock.monotonicMs() - this.#bornMs > RESPONSE_LIFE_MS)
      throw new SlackRefusal('expired_url');
    if (this.#responses >= RESPONSE_USES) throw new SlackRefusal('used_url');
    this.#write(body, 'response_url');
    this.#responses += 1;
  }

  #write(body: Json, via: Answer['via']): void {
    const { message } = this.scene;
    if (message && body['delete_original'] === true) return this.#delete(message, body, via);
    const composed = compose(this.#core, body, 'response');
    if (message && body['replace_original'] === true) {
      const before = wireMessage(this.#core.world, message, { metadata: false });
      message.text = composed.text;
      message.blocks = composed.blocks;
      message.attachments = composed.attachments;
      message.isEdited = true;
      this.#keep(via, 'replace', body, message);
      if (message.ephemeralFor === undefined) tellChanged(this.#core, message, before);
      return show(this.#core, 'updated', message, via);
    }
    this.#post(body, composed, via);
  }

  #post(body: Json, composed: ReturnType<typeof compose>, via: Answer['via']): void {
    const { channel, user } = this.scene;
    if (channel === undefined) throw new SlackRefusal('channel_not_found');
    const isForAll = body['response_type'] === 'in_channel';
    const posted = this.#core.world.addMessage({
      ...composed,
      channel,
      user: BOT.userId,
      threadTs: typeof body['thread_ts'] === 'string' ? body['thread_ts'] : undefined,
      ephemeralFor: isForAll ? undefined : user,
    });
    this.#keep(via, 'post', body, posted);
    if (isForAll) tellPosted(this.#core, posted);
    show(this.#core, isForAll ? 'posted' : 'ephemeral', posted, via);
  }

  #delete(message: StoredMessage, body: Json, via: Answer['via']): void {
    this.#core.world.removeMessage(message);
    this.#keep(via, 'delete', body, { ...message, text: '', blocks: [] });
    if (message.ephemeralFor === undefined) tellDeleted(this.#core, message);
    show(this.#core, 'deleted', message, via satisfies MessageEntry['via']);
  }

  #keep(via: Answer['via'], does: Answer['does'], body: Json, message: StoredMessage): void {
    const { ephemeralFor } = message;
    this.answers.push({
      via,
      forWhom: ephemeralFor === undefined ? 'everyone' : { user: ephemeralFor },
      does,
      rendered: renderedOf(this.#core.world, message),
      body,
    });
  }
}
