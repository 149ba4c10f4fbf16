import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '#test/fakes/slack/api.ts';
import { check } from '../checker.ts';
import type { Store } from '../read-store.ts';
import { ANSWER, NO_NOTES, row, said, stored } from './doctored.ts';
import { type SlackRecords, tellSlack } from './tell-slack.ts';

const spoken = said({ chat: 'C1:1.0', message: 'C1:1.0', event: '1.0' });
const question = { channel: 'C1', ts: '1.0' };
const message = (ts: string, more: Partial<SeenMessage> = {}): SeenMessage => ({
  channel: 'C1',
  ts,
  user: 'bot',
  isFromBot: true,
  text: '',
  rendered: '',
  blocks: [],
  attachments: [],
  files: [],
  reactions: [],
  isBroadcast: false,
  isEdited: false,
  flags: {},
  ...more,
});
const answer = (ts: string, deliveryId: string, threadTs = '1.0'): SeenMessage =>
  message(ts, {
    threadTs,
    rendered: ANSWER,
    metadata: { event_type: 'delivery', event_payload: { delivery_id: deliveryId } },
  });
const wrote = { type: 'said', ...question, user: 'ann', text: 'm01 please', atMs: 1 } as const;
const event = { envelopeId: 'e', envelopeType: 'events_api', eventId: 'E1', what: 'message' } as const;
const acked = { type: 'acked', ...event, afterMs: 1, payload: {}, atMs: 2 } as const;
const unacked = { type: 'unacked', ...event, isFinal: false, atMs: 2 } as const;
const posted = ({ channel, ts }: SeenMessage) =>
  ({ type: 'posted', channel, ts, text: '', via: 'api', atMs: 3 }) as const;

const told = (history: SlackRecords['fake']['history'], visible: readonly SeenMessage[], store: Store) => {
  const fake = {
    history,
    bot: { userId: 'bot', botId: 'B', name: 'bot' },
    messageAt: ({ ts }: { readonly ts: string }) => visible.find((each) => each.ts === ts),
  };
  const records = {
    fake,
    spoken: [spoken],
    calls: new Map(),
    pulse: NO_NOTES,
    said: new Map([['01', { ...question, eventIds: ['E1'] }]]),
  };
  return tellSlack(records, store);
};

const problems = (...args: Parameters<typeof told>): readonly string[] => check(told(...args), args[2].rows);

describe('what Slack saw', () => {
  const parts = [{ deliveryId: 'd1', inboxId: 'row-1.0', messageId: null }];
  const done: Store = { rows: [row('1.0')], parts };
  const asked = message('1.0', { user: 'ann' });

  it('is in order where a message was answered once in its thread', () => {
    expect(problems([wrote, acked, posted(answer('2.0', 'd1'))], [asked, answer('2.0', 'd1')], done)).toEqual(
      [],
    );
  });

  it('tells of a message that was acknowledged and not kept, and of one that was given up', () => {
    expect(problems([wrote, acked], [asked], stored())).toEqual([
      'm01 was acknowledged and is not in the inbox',
    ]);
    expect(problems([wrote, unacked], [asked], stored())).toEqual(['m01 was never acknowledged']);
  });

  it('tells of a delivery that stands there twice', () => {
    const both = [answer('2.0', 'd1'), answer('3.0', 'd1')];
    expect(problems([wrote, acked, ...both.map(posted)], [asked, ...both], done)).toContain(
      'm01 was told the same twice',
    );
  });

  it('tells of an answer outside of its thread, and of a sign of work that was left', () => {
    const outside = answer('2.0', 'd1', '7.0');
    const signed = { ...asked, reactions: [{ name: 'eyes', users: ['bot'] }] };
    const marked = { type: 'reacted', ...question, user: 'bot', name: 'eyes', atMs: 3 } as const;
    expect(problems([wrote, acked, marked, posted(outside)], [signed, outside], done)).toEqual([
      'm01 was answered in another chat',
      'C1:1.0 looks as if it were still worked on',
    ]);
  });

  it('knows what Slack itself brought late', () => {
    expect(told([wrote, unacked, acked], [asked], done)).toContainEqual(
      expect.objectContaining({ type: 'sent', isLate: true }),
    );
    expect(told([wrote, acked], [asked], done)).toContainEqual(expect.not.objectContaining({ isLate: true }));
  });
});
