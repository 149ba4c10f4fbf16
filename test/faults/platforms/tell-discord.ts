import type { FakeDiscord, FakeInteraction } from '#test/fakes/discord/api.ts';
import type { DiscordEntry } from '#test/fakes/discord/history.ts';
import type { SeenMessage } from '#test/fakes/discord/seen.ts';
import type { Happening, HistoryEntry, Posted } from '#test/fakes/platform/history.ts';
import type { SentPart, Store } from '../read-store.ts';
import { markersIn, numberOf } from '../words.ts';
import type { Pulse } from './pulse.ts';
import { isOwed, isToldOfLoss, type Spoken } from './spoken.ts';

export interface DiscordRecords {
  readonly fake: Pick<FakeDiscord, 'history' | 'messagesIn' | 'bot'>;
  readonly spoken: readonly Spoken[];
  /** By their ids. */
  readonly calls: ReadonlyMap<string, Pick<FakeInteraction, 'answers'>>;
  readonly pulse: Pick<Pulse, 'notes' | 'killedAtMs' | 'outagesAtMs'>;
}

const NOTHING: Store = { rows: [], parts: [] };
const WORKING = '👀';

/** The delivery that a nonce stands for. */
const isNonceOf = (nonce: string | undefined, deliveryId: string): boolean =>
  nonce !== undefined &&
  Buffer.from(nonce, 'base64url').toString('hex').startsWith(deliveryId.replaceAll('-', ''));

const textOf = ({ content, embeds }: SeenMessage): string => content || JSON.stringify(embeds);

/** What Discord saw, as the checker reads it; what a message says is what stands there at the end. */
export const tellDiscord = (
  { fake, spoken, calls, pulse }: DiscordRecords,
  store: Store = NOTHING,
): readonly HistoryEntry[] => {
  const byMessage = new Map(spoken.map((said) => [said.message, said]));
  const byEvent = new Map(spoken.map((said) => [said.event, said]));
  const byNumber = new Map(spoken.map((said) => [said.number, said]));
  const stored = new Set(store.rows.map(({ event }) => event));
  const told = new Set<string>();
  const finalOf = ({ id, channelId }: Pick<SeenMessage, 'id' | 'channelId'>): SeenMessage | undefined =>
    fake.messagesIn(channelId).find((message) => message.id === id);

  const acknowledgedAtMs = (id: string): number | undefined =>
    fake.history.find((entry) => entry.type === 'acknowledged' && entry.interactionId === id)?.atMs;

  const isLost = ({ message, event, isCall }: Spoken): boolean => {
    const answers = (calls.get(message)?.answers ?? []).filter(({ isThinking }) => !isThinking);
    const state = { acknowledgedAtMs: acknowledgedAtMs(message) };
    return isCall && isToldOfLoss(answers.map(textOf), state, stored.has(event), pulse.outagesAtMs);
  };

  /** Whether the bot has to account for it: a person who took it back in time is owed nothing. */
  const isExpected = (said: Spoken): boolean => {
    if (!said.isMeant || isLost(said)) return false;
    if (stored.has(said.event)) return true;
    if (said.isCall) return isOwed({ acknowledgedAtMs: acknowledgedAtMs(said.message) }, false, pulse);
    return finalOf({ id: said.message, channelId: said.chat }) !== undefined;
  };

  const sent = (said: Spoken): readonly Happening[] => {
    if (told.has(said.message) || !isExpected(said)) return [];
    told.add(said.message);
    const { event, message, chat, sender, body } = said;
    return [
      { type: 'sent', event, message, chat, sender, body },
      // Discord is told nothing: what is stored was taken.
      ...(stored.has(event) ? [{ type: 'acknowledged', event, outcome: 'accepted' } as const] : []),
    ];
  };

  const changed = (said: Spoken | undefined, body: string | undefined): readonly Happening[] => {
    if (!said || !told.has(said.message)) return [];
    const event = `change-${said.number}`;
    return [
      { type: 'changed', event, message: said.message, ...(body === undefined ? {} : { body }) },
      // Nobody says whether it was in time.
      { type: 'acknowledged', event, outcome: 'too-late' },
    ];
  };

  const partOf = ({ id, nonce }: SeenMessage): SentPart | undefined =>
    store.parts.find(({ deliveryId, messageId }) => messageId === id || isNonceOf(nonce, deliveryId));

  /**
   * What it is an answer to, by Discord's account, where only the first part is a reply; else by that of the bot, else by
   * what it says.
   */
  const answeredBy = (message: SeenMessage): Spoken | undefined => {
    const { replyTo, channelId, content } = message;
    const inboxId = partOf(message)?.inboxId;
    const event = store.rows.find(({ id }) => id === inboxId)?.event;
    const first =
      inboxId === undefined
        ? undefined
        : fake
            .messagesIn(channelId)
            .find((other) => other.replyTo !== undefined && partOf(other)?.inboxId === inboxId);
    return (
      byMessage.get(replyTo ?? first?.replyTo ?? '') ??
      byEvent.get(event ?? '') ??
      byNumber.get(numberOf(markersIn(content)[0] ?? ''))
    );
  };

  const posted = (message: SeenMessage): readonly Posted[] => {
    const { nonce = '', channelId } = message;
    const said = answeredBy(message);
    // Who cannot be answered in their place any more is answered in private.
    const chat = said?.isCall ? said.chat : channelId;
    return [{ type: 'posted', nonce, chat, replyTo: said?.message ?? '', text: textOf(message) }];
  };

  const happenings = (entry: DiscordEntry): readonly Happening[] => {
    if (entry.type === 'posted') {
      const message = finalOf(entry.message);
      return message && message.interactionId === undefined ? posted(message) : [];
    }
    if (entry.type !== 'dispatched') return [];
    const { id, content, edited_timestamp: editedAt } = entry.data as Readonly<Record<string, string>>;
    const said = byMessage.get(id ?? '');
    switch (entry.event) {
      case 'MESSAGE_CREATE':
      case 'INTERACTION_CREATE':
        return said ? sent(said) : [];
      case 'MESSAGE_UPDATE':
        return editedAt ? changed(said, content) : [];
      case 'MESSAGE_DELETE':
        return changed(said, undefined);
      default:
        return [];
    }
  };

  /** What one person alone sees cannot be looked for: after a crash a part behind the first may come again. */
  const isExcused = (message: SeenMessage, before: readonly SeenMessage[]): boolean =>
    pulse.killedAtMs.length + pulse.outagesAtMs.length > 0 &&
    message.ephemeralFor !== undefined &&
    before.slice(1).some((other) => textOf(other) === textOf(message));

  const callsAnswered = [...calls].flatMap(([replyTo, { answers }]) => {
    const said = byMessage.get(replyTo);
    if (said && isLost(said)) return [];
    return answers
      .filter(({ isThinking }) => !isThinking)
      .filter((message, index, shown) => !isExcused(message, shown.slice(0, index)))
      .map((message): Happening => ({
        type: 'posted',
        nonce: '',
        chat: said?.chat ?? '',
        replyTo,
        text: textOf(message),
      }));
  });
  const signs = spoken
    .filter(({ message, chat, isCall }) => {
      const seen = isCall ? undefined : finalOf({ id: message, channelId: chat });
      return seen?.reactions.some(({ emoji, userIds }) => emoji === WORKING && userIds.includes(fake.bot.id));
    })
    .map(({ message }): Happening => ({ type: 'reacted', message, emoji: WORKING }));

  const endMs = Math.round(Math.max(0, ...fake.history.map(({ atMs }) => atMs)));
  return [
    ...fake.history.flatMap((entry) =>
      happenings(entry).map((happening) => ({ ...happening, atMs: Math.round(entry.atMs) })),
    ),
    ...pulse.notes,
    ...[...callsAnswered, ...signs].map((happening) => ({ ...happening, atMs: endMs })),
  ].toSorted((one, other) => one.atMs - other.atMs);
};
