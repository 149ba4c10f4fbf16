import { describe, expect, it } from 'vitest';
import { readMessageEvent, toInboundMessage } from '#channels/slack/inbound.ts';
import { everyRow } from '#test/support/every-row.ts';
import { ODD_EVENTS } from './payloads.ts';
import { setUpChannel } from './fixture.ts';

const self = { teamId: 'T0FINCLAW1', teamName: 'T', userId: 'U0BOT', botId: 'B0BOT', scopes: [] };

describe('odd events', () => {
  everyRow(Object.entries(ODD_EVENTS))('%s', (_name, { event, becomes, isFromBot, media, forwarded }) => {
    const read = readMessageEvent(event);
    if (becomes === 'nothing') {
      expect(read.kind).toBe('ignored');
      return;
    }
    if ('change' in becomes) {
      expect(read).toMatchObject({
        kind: 'changed',
        change: { kind: becomes.change },
        author: 'U2147483697',
      });
      return;
    }
    if (read.kind !== 'said') throw new Error(`it was ${read.kind}`);
    const message = toInboundMessage(read.said, { self, person: undefined, place: undefined });
    expect(message.body).toBe(becomes.body);
    expect(message.forwarded).toEqual(forwarded);
    expect(message.isFromBot).toBe(isFromBot);
    expect(message.isFromSelf).toBe(false);
    expect(message.media?.map(({ kind, url }) => `${kind} ${url}`)).toEqual(media);
  });

  it('are all acknowledged, and none stops what comes after them', async () => {
    const { fake, host } = await setUpChannel();
    for (const { event } of Object.values(ODD_EVENTS)) fake.event({ ...event, channel: fake.general.id });
    fake.event({ type: 'app_home_opened', user: fake.alice.id });
    fake.event({ type: 'something_new' });
    fake.raw({ type: 'events_api', envelope_id: 'x', payload: { event: { type: 'message' } } });
    fake.raw({ type: 'something_else', envelope_id: 'y', payload: {} });
    fake.sayDirect(fake.alice.id, 'still there?');
    await fake.until(() => host.bodies.includes('still there?') && fake.pending.length === 0);
  });
});
