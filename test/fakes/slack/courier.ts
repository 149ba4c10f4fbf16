import { randomUUID } from 'node:crypto';
import type { Ack, Json } from './api.ts';
import type { Core, Parcel } from './core.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { pausedTimeMs } from '#test/support/paused-time.ts';

interface Carried {
  readonly parcel: Parcel;
  attempts: number;
  /** Why the last delivery failed. */
  failure: string;
  state: 'waiting' | 'delivered' | 'acked' | 'given-up';
  cancelTimer: () => void;
}

interface Delivery {
  readonly carried: Carried;
  readonly atMs: number;
  /** How long the process had been paused by then. */
  readonly pausedMs: number;
  isAcked: boolean;
}

/** Sends a frame through one open connection; its number, or undefined where none is open. */
export type Carrier = (frame: Json) => number | undefined;

const isEvent = ({ envelopeType }: Parcel): boolean => envelopeType === 'events_api';

/** Brings envelopes to the bot, sees to it that they are acknowledged, and brings events again. */
export class Courier {
  readonly #core: Core;
  readonly #carry: Carrier;
  readonly #deliveries = new Map<string, Delivery>();
  readonly #byEvent = new Map<string, Parcel>();
  readonly #open = new Set<Carried>();
  #waiting: Carried[] = [];

  constructor(core: Core, carry: Carrier) {
    this.#core = core;
    this.#carry = carry;
  }

  get pending(): readonly Parcel[] {
    return [...this.#open].map(({ parcel }) => parcel);
  }

  send(parcel: Parcel): string {
    if (parcel.eventId !== undefined) this.#byEvent.set(parcel.eventId, parcel);
    const carried: Carried = {
      parcel,
      attempts: 0,
      failure: '',
      state: 'waiting',
      cancelTimer: () => undefined,
    };
    this.#open.add(carried);
    return this.#deliver(carried);
  }

  /** Once more, with all its retries, whatever became of it before. */
  repeat(eventId: string): void {
    const parcel = this.#byEvent.get(eventId);
    if (!parcel) throw new Error(`No such event: ${eventId}`);
    const carried: Carried = {
      parcel,
      attempts: 1,
      failure: 'timeout',
      state: 'waiting',
      cancelTimer: () => undefined,
    };
    this.#open.add(carried);
    this.#deliver(carried);
  }

  /** A connection is open: what waited for one goes out, in order. */
  flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const carried of waiting) this.#deliver(carried);
  }

  /** The bot said something over its connection. */
  hear(envelopeId: string, payload: Json): void {
    const { chronicle, clock, settings } = this.#core;
    const delivery = this.#deliveries.get(envelopeId);
    if (!delivery) return chronicle.offend('unknown-envelope', envelopeId);
    const { carried } = delivery;
    const { envelopeType, what, eventId } = carried.parcel;
    if (delivery.isAcked) return chronicle.offend('double-ack', `${what} ${envelopeId}`);
    chronicle.moment({ name: 'acked', envelopeId, ...(eventId === undefined ? {} : { eventId }) });
    delivery.isAcked = true;
    const ack: Ack = { afterMs: clock.monotonicMs() - delivery.atMs, payload };
    chronicle.note({
      type: 'acked',
      envelopeId,
      envelopeType,
      ...(eventId === undefined ? {} : { eventId }),
      what,
      afterMs: Math.round(ack.afterMs),
      payload,
    });
    const awakeMs = ack.afterMs - (this.#pausedMs() - delivery.pausedMs);
    if (awakeMs > settings.ackTimeoutMs) chronicle.offend('late-ack', `${what} ${envelopeId}`);
    if (carried.state === 'acked' || carried.state === 'given-up') return;
    this.#end(carried, 'acked');
    carried.parcel.onAck?.(ack);
  }

  /** HTTP mode: the request was answered with an error, or not at all. */
  fail(envelopeId: string, reason: string): void {
    const carried = this.#deliveries.get(envelopeId)?.carried;
    if (!carried || !this.#open.has(carried)) return;
    carried.failure = reason;
    const { clock, settings } = this.#core;
    const nextMs = isEvent(carried.parcel) ? settings.redeliverAfterMs[carried.attempts] : undefined;
    carried.attempts += 1;
    if (nextMs === undefined) return this.#missed(carried, envelopeId, true);
    carried.cancelTimer = clock.after(carried.attempts === 1 ? 0 : nextMs, () =>
      this.#missed(carried, envelopeId, false),
    );
  }

  close(): void {
    for (const { cancelTimer } of this.#open) cancelTimer();
    this.#open.clear();
    this.#waiting = [];
  }

  #end(carried: Carried, state: 'acked' | 'given-up'): void {
    carried.cancelTimer();
    carried.state = state;
    this.#open.delete(carried);
  }

  /** A manual clock does not run while the process is paused. */
  #pausedMs(): number {
    return this.#core.clock instanceof ManualClock ? 0 : pausedTimeMs();
  }

  #deliver(carried: Carried): string {
    const { parcel } = carried;
    const { chronicle, clock, settings } = this.#core;
    const { envelopeType, what, eventId, payload } = parcel;
    const envelopeId = randomUUID();
    const retryNum = carried.attempts;
    const connection = this.#carry({
      envelope_id: envelopeId,
      type: envelopeType,
      payload,
      accepts_response_payload: !isEvent(parcel),
      ...(isEvent(parcel) ? { retry_attempt: retryNum, retry_reason: carried.failure } : {}),
    });
    if (connection === undefined) {
      if (isEvent(parcel) && settings.whileDisconnected === 'keep') {
        this.#waiting.push(carried);
        return envelopeId;
      }
      this.#expect(carried, envelopeId, isEvent(parcel) ? undefined : 0);
      return envelopeId;
    }
    this.#deliveries.set(envelopeId, {
      carried,
      atMs: clock.monotonicMs(),
      pausedMs: this.#pausedMs(),
      isAcked: false,
    });
    carried.state = 'delivered';
    const about = { envelopeId, ...(eventId === undefined ? {} : { eventId }) };
    chronicle.note({ type: 'delivered', ...about, envelopeType, what, retryNum, connection });
    // In HTTP mode, the end of the request tells what became of it.
    if (settings.requestUrl === undefined) this.#expect(carried, envelopeId);
    return envelopeId;
  }

  /** What follows when no ack comes: the next delivery, or the end. */
  #expect(carried: Carried, envelopeId: string, waitMs?: number): void {
    const { clock, settings } = this.#core;
    const { parcel } = carried;
    const nextMs = isEvent(parcel) ? settings.redeliverAfterMs[carried.attempts] : undefined;
    carried.attempts += 1;
    carried.failure = 'timeout';
    carried.cancelTimer = clock.after(waitMs ?? nextMs ?? settings.ackTimeoutMs, () => {
      this.#missed(carried, envelopeId, nextMs === undefined);
    });
  }

  #missed(carried: Carried, envelopeId: string, isFinal: boolean): void {
    const { envelopeType, what, eventId, onGivenUp } = carried.parcel;
    this.#core.chronicle.note({
      type: 'unacked',
      envelopeId,
      envelopeType,
      ...(eventId === undefined ? {} : { eventId }),
      what,
      isFinal,
    });
    if (!isFinal) return void this.#deliver(carried);
    this.#end(carried, 'given-up');
    onGivenUp?.();
  }
}
