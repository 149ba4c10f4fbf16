import type { Happening, HistoryEntry } from '#test/fakes/platform/history.ts';
import type { FakeSlack, InteractionHandle, MessageRef, Said, SeenMessage } from '#test/fakes/slack/api.ts';
import { entriesOf, type SlackHistoryEntry } from '#test/fakes/slack/history.ts';
import type { Store } from '../read-store.ts';
import { markersIn, numberOf } from '../words.ts';
import type { Pulse } from './pulse.ts';
import { type CallState, isOwed, isToldOfLoss, type Spoken } from './spoken.ts';

export interface SlackRecords {
  readonly fake: Pick<FakeSlack, 'history' | 'messageAt' | 'bot'>;
  readonly spoken: readonly Spoken[];
  /** By their numbers. */
  readonly said: ReadonlyMap<string, Said>;
  /** By their envelopes. */
  readonly calls: ReadonlyMap<string, Pick<InteractionHandle, 'answers'>>;
  readonly pulse: Pick<Pulse, 'notes' | 'killedAtMs' | 'outagesAtMs'>;
}

const NOTHING: Store = { rows: [], parts: [] };
const WORKING = '👀';

/** A time is unique only in its channel. */
export const messageKey = ({ channel, ts }: MessageRef): string => `${channel}:${ts}`;

const deliveryIdOf = ({ metadata }: SeenMessage): string => {
  const id = metadata?.event_payload['delivery_id'];
  return typeof id === 'string' ? id : '';
};

const chatOf = ({ channel, ts, threadTs }: SeenMessage): string => {
  if (threadTs !== undefined) return messageKey({ channel, ts: threadTs });
  return channel.startsWith('D') ? channel : messageKey({ channel, ts });
};

/** What Slack saw, as the checker reads it; what a message says is what stands there at the end. */
export const tellSlack = (
  { fake, spoken, said, calls, pulse }: SlackRecords,
  store: Store = NOTHING,
): readonly HistoryEntry[] => {
  const byMessage = new Map(spoken.map((each) => [each.message, each]));
  const byEvent = new Map(spoken.map((each) => [each.event, each]));
  const byNumber = new Map(spoken.map((each) => [each.number, each]));
  const stored = new Set(store.rows.map(({ event }) => event));
  const acked = entriesOf(fake.history, 'acked');
  const told = new Set<string>();

  const acksOf = ({ number, isCall, message }: Spoken): readonly { readonly atMs: number }[] =>
    acked.filter(({ eventId, envelopeId }) =>
      isCall
        ? envelopeId === message
        : eventId !== undefined && (said.get(number)?.eventIds.includes(eventId) ?? false),
    );

  const textsOf = (call: string): readonly string[] => {
    const answers = calls.get(call)?.answers ?? [];
    const open = answers.filter(({ forWhom, does }) => forWhom === 'everyone' && does === 'post');
    // What one person alone sees cannot be looked for: after a crash it may come again.
    const hidden = new Set(
      answers.filter(({ forWhom }) => forWhom !== 'everyone').map(({ rendered }) => rendered),
    );
    return [...open.map(({ rendered }) => rendered), ...hidden].filter((text) => text !== '');
  };
  const stateOf = (each: Spoken): CallState => ({ acknowledgedAtMs: acksOf(each)[0]?.atMs });
  const isLost = (each: Spoken): boolean =>
    each.isCall &&
    isToldOfLoss(textsOf(each.message), stateOf(each), stored.has(each.event), pulse.outagesAtMs);

  /** Whether the bot has to account for it: a person who took it back in time is owed nothing. */
  const isExpected = (each: Spoken): boolean => {
    if (!each.isMeant || isLost(each)) return false;
    if (stored.has(each.event)) return true;
    if (each.isCall) return isOwed(stateOf(each), false, pulse);
    const ref = said.get(each.number);
    return ref !== undefined && fake.messageAt(ref) !== undefined;
  };

  /** Slack could not hand it over at first: by then, others may have overtaken it. */
  const isLate = ({ number }: Spoken): boolean =>
    entriesOf(fake.history, 'unacked').some(
      ({ eventId }) => eventId !== undefined && said.get(number)?.eventIds.includes(eventId),
    );

  const sent = (each: Spoken | undefined): readonly Happening[] => {
    if (!each || told.has(each.message) || !isExpected(each)) return [];
    told.add(each.message);
    const { event, message, chat, sender, body } = each;
    const isTaken = stored.has(event) || acksOf(each).length > 0;
    return [
      { type: 'sent', event, message, chat, sender, body, ...(isLate(each) ? { isLate: true } : {}) },
      ...(isTaken ? [{ type: 'acknowledged', event, outcome: 'accepted' } as const] : []),
    ];
  };

  const changed = (each: Spoken | undefined, body: string | undefined): readonly Happening[] => {
    if (!each || !told.has(each.message)) return [];
    const event = `change-${each.number}`;
    return [
      { type: 'changed', event, message: each.message, ...(body === undefined ? {} : { body }) },
      // Nobody says whether it was in time.
      { type: 'acknowledged', event, outcome: 'too-late' },
    ];
  };

  /** What it is an answer to, by the bot's account: Slack knows of the thread only. Else by what it says. */
  const answeredBy = (message: SeenMessage): Spoken | undefined => {
    const { ts, rendered } = message;
    const deliveryId = deliveryIdOf(message);
    const part = store.parts.find((each) => each.deliveryId === deliveryId || each.messageId === ts);
    const event = store.rows.find(({ id }) => id === part?.inboxId)?.event;
    return byEvent.get(event ?? '') ?? byNumber.get(numberOf(markersIn(rendered)[0] ?? ''));
  };

  const posted = (message: SeenMessage): Happening => {
    const each = answeredBy(message);
    return {
      type: 'posted',
      nonce: deliveryIdOf(message),
      // Who cannot be answered in their place any more is answered in private.
      chat: each?.isCall ? each.chat : chatOf(message),
      replyTo: each?.message ?? '',
      text: message.rendered,
    };
  };

  /** The messages that are still marked in the end. */
  const signs = new Set(
    spoken
      .filter(({ number }) => {
        const ref = said.get(number);
        const seen = ref && fake.messageAt(ref);
        return seen?.reactions.some(({ name, users }) => name === 'eyes' && users.includes(fake.bot.userId));
      })
      .map(({ message }) => message),
  );

  const happenings = (entry: SlackHistoryEntry): readonly Happening[] => {
    if (entry.type === 'said') return sent(byMessage.get(messageKey(entry)));
    if (entry.type === 'delivered') {
      const { eventId: event = entry.envelopeId, retryNum } = entry;
      return [
        ...sent(byMessage.get(entry.envelopeId)),
        { type: 'delivered', event, isRepeated: retryNum > 0 },
      ];
    }
    if (entry.type === 'reacted' || entry.type === 'unreacted') {
      const message = messageKey(entry);
      return signs.has(message) ? [{ type: entry.type, message, emoji: WORKING }] : [];
    }
    if (entry.type === 'edited') return changed(byMessage.get(messageKey(entry)), entry.text);
    if (entry.type === 'removed') return changed(byMessage.get(messageKey(entry)), undefined);
    if (entry.type !== 'posted' && entry.type !== 'ephemeral' && entry.type !== 'stream-started') return [];
    const message = entry.via === 'api' ? fake.messageAt(entry) : undefined;
    return message ? [posted(message)] : [];
  };

  const callsAnswered = [...calls.keys()].flatMap((replyTo) => {
    const each = byMessage.get(replyTo);
    return each && isLost(each)
      ? []
      : textsOf(replyTo).map((text): Happening => ({
          type: 'posted',
          nonce: '',
          chat: each?.chat ?? '',
          replyTo,
          text,
        }));
  });
  const endMs = Math.max(0, ...fake.history.map(({ atMs }) => atMs));
  return [
    ...fake.history.flatMap((entry) =>
      happenings(entry).map((happening) => ({ ...happening, atMs: entry.atMs })),
    ),
    ...pulse.notes,
    ...callsAnswered.map((happening) => ({ ...happening, atMs: endMs })),
  ].toSorted((one, other) => one.atMs - other.atMs);
};
