import { describe, expect, it } from 'vitest';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import type { SeenMessage } from '#test/fakes/discord/seen.ts';
import { check } from '../checker.ts';
import type { Store } from '../read-store.ts';
import { COMMAND } from '../words.ts';
import { ANSWER, NO_NOTES, said, stored } from './doctored.ts';
import { type DiscordRecords, tellDiscord } from './tell-discord.ts';

const called = said({ message: 'call-1', event: 'call-1', body: COMMAND, isCall: true });
const bot = { id: 'bot', username: 'bot', displayName: 'bot', isBot: true };
const message = (id: string, more: Partial<SeenMessage> = {}): SeenMessage => ({
  id,
  channelId: 'room',
  author: bot,
  content: '',
  embeds: [],
  components: [],
  buttons: [],
  attachments: [],
  reactions: [],
  isThinking: false,
  type: 0,
  flags: 0,
  atMs: 0,
  pinged: { everyone: false, users: [], roles: [] },
  ...more,
});
const answer = (id: string, more: Partial<SeenMessage> = {}): SeenMessage =>
  message(id, { content: ANSWER, replyTo: 'message-1', ...more });
const dispatched = (event: string, id: string) =>
  ({ type: 'dispatched', event, data: { id }, reached: true, atMs: 1 }) as const;
const posted = (each: SeenMessage) => ({ type: 'posted', message: each, atMs: 2 }) as const;
const acknowledged = {
  type: 'acknowledged',
  interactionId: 'call-1',
  callbackType: 5,
  isEphemeral: false,
  afterMs: 1,
  atMs: 1_000,
} as const;

const problems = (
  records: Partial<Omit<DiscordRecords, 'fake'>>,
  history: DiscordRecords['fake']['history'],
  visible: readonly SeenMessage[],
  store: Store,
): readonly string[] => {
  const fake = {
    history,
    bot,
    messagesIn: (channel: string) => visible.filter(({ channelId }) => channelId === channel),
  };
  const all = { spoken: [said()], calls: new Map(), pulse: NO_NOTES, ...records, fake };
  return check(tellDiscord(all, store), store.rows);
};

describe('what Discord saw', () => {
  const asked = dispatched('MESSAGE_CREATE', 'message-1');
  const question = message('message-1');

  it('is in order where a message was answered once', () => {
    expect(problems({}, [asked, posted(answer('2'))], [question, answer('2')], stored('event-1'))).toEqual(
      [],
    );
  });

  it('tells of a message that never reached the inbox, unless it was deleted meanwhile', () => {
    expect(problems({}, [asked], [question], stored())).toEqual(['m01 was never acknowledged']);
    expect(problems({}, [asked, dispatched('MESSAGE_DELETE', 'message-1')], [], stored())).toEqual([]);
  });

  it('tells of an answer that stands there twice, and not of one that was deleted again', () => {
    const history = [asked, posted(answer('2')), posted(answer('3'))];
    const store = stored('event-1');
    expect(problems({}, history, [question, answer('2'), answer('3')], store)).toContain(
      'm01 was told the same twice',
    );
    expect(problems({}, history, [question, answer('3')], store)).toEqual([]);
  });

  it('tells of a sign of work that was left, and of an answer in another channel', () => {
    const signed = message('message-1', { reactions: [{ emoji: '👀', userIds: ['bot'] }] });
    const elsewhere = answer('2', { channelId: 'other' });
    expect(problems({}, [asked, posted(elsewhere)], [signed, elsewhere], stored('event-1'))).toEqual([
      'm01 was answered in another chat',
      'message-1 looks as if it were still worked on',
    ]);
  });

  it('tells of an answer to people who talked to each other', () => {
    const spoken = [said({ isMeant: false })];
    expect(
      problems({ spoken }, [asked, posted(answer('2'))], [question, answer('2')], stored('event-1')),
    ).toEqual([expect.stringContaining('Something was said to nobody'), 'event-1 was never sent']);
  });

  describe('of a call', () => {
    const thinking = message('9', { isThinking: true });
    const filled = message('9', { content: 'Prices' });
    const call = dispatched('INTERACTION_CREATE', 'call-1');
    const outcome = (
      answers: readonly SeenMessage[],
      isAcknowledged: boolean,
      store: Store,
      killedAtMs: readonly number[] = [],
      outagesAtMs: readonly number[] = [],
    ): readonly string[] =>
      problems(
        {
          spoken: [called],
          calls: new Map([['call-1', { answers }]]),
          pulse: { notes: [], killedAtMs, outagesAtMs },
        },
        isAcknowledged ? [call, acknowledged] : [call],
        [],
        store,
      );

    it('is in order where it was answered, or the person saw at once that nobody is there', () => {
      expect(outcome([filled], true, stored('call-1'))).toEqual([]);
      expect(outcome([], false, stored())).toEqual([]);
    });

    it('tells of a promise that was never kept', () => {
      expect(outcome([thinking], true, stored('call-1'))).toEqual(['call-1 is done and got no answer']);
      expect(outcome([thinking], true, stored())).toEqual(['call-1 was never acknowledged']);
    });

    it('excuses a part that only the caller sees and that came again after a kill, and no other', () => {
      const part = (id: string): SeenMessage =>
        message(id, { content: 'Further prices', ephemeralFor: 'user-1' });
      const [store, twice] = [stored('call-1'), ['call-1 was told the same twice']];
      expect(outcome([filled, part('10'), part('11')], true, store, [4_000])).toEqual([]);
      expect(outcome([filled, part('10'), part('11')], true, store)).toEqual(twice);
      expect(outcome([part('9'), part('10')], true, store, [4_000])).toEqual(twice);
      expect(outcome([filled, message('10', { content: 'Prices' })], true, store, [4_000])).toEqual(twice);
    });

    it('excuses whoever was killed right after the promise, and nobody who lived on', () => {
      expect(outcome([thinking], true, stored(), [1_200])).toEqual([]);
      expect(outcome([thinking], true, stored(), [4_000])).toEqual(['call-1 was never acknowledged']);
      // While the database is away, it cannot be stored for longer.
      expect(outcome([thinking], true, stored(), [4_000], [2_000])).toEqual([]);
      expect(outcome([thinking], true, stored(), [12_000], [2_000])).not.toEqual([]);
    });

    it('takes it that the caller was told of a loss, if the database was away around that time', () => {
      const lost = message('9', { content: channelTexts('en').notStored() });
      const toNobody = [expect.stringContaining('was never acknowledged')];
      expect(outcome([lost], true, stored(), [], [4_000])).toEqual([]);
      expect(outcome([lost], true, stored(), [], [40_000])).toEqual(toNobody);
      expect(outcome([lost], true, stored())).toEqual(toNobody);
      expect(outcome([lost, filled], true, stored(), [], [4_000])).toEqual(toNobody);
    });
  });
});
