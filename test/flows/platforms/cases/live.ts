import { expect, it } from 'vitest';
import { type AnthropicBody, blocksOf } from '#test/fakes/anthropic/body.ts';
import type { FakeAnswer, FakeReply } from '#test/fakes/model-reply.ts';
import { answer } from '#test/support/engine-app.ts';
import type { Place, Platform, PlatformKit } from '#test/support/platforms/driver.ts';
import { ECHO, eventually, holdTools, spokenIn, type Talk } from '#test/support/platforms/talk.ts';

const MODES = ['off', 'status', 'stream'] as const;
type Mode = (typeof MODES)[number];

/** Rooms with a mode each, which the configuration file has to name. */
export interface LiveRooms {
  readonly config: (platform: Platform) => object;
  readonly of: (mode: Mode) => Place;
}

export const liveRooms = ({ name, can }: PlatformKit): LiveRooms => {
  const rooms = new Map<Mode, Place>();
  return {
    config: (platform) => {
      if (!can.rooms) return {};
      for (const mode of MODES) rooms.set(mode, platform.addRoom(`live-${mode}`));
      const channels = [...rooms].map(([mode, { id }]) => [`${name}:${id}`, mode]);
      return { live: { channels: Object.fromEntries(channels) } };
    },
    of: (mode) => {
      const room = rooms.get(mode);
      if (!room) throw new Error('There are no rooms here');
      return room;
    },
  };
};

/** Begins to answer, and goes on when it is let go. */
const begins = (begun: FakeAnswer, then: FakeReply) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  // oxlint-disable-next-line unicorn/no-thenable -- the shared word for it; nobody awaits a reply
  const reply: FakeReply = { kind: 'hold', until: promise, answer: begun, then };
  return { reply, letGo: resolve };
};

const looksUp: FakeReply = {
  kind: 'answer',
  toolCalls: [{ name: 'get_quote', input: { symbols: ['삼성전자'] } }],
};

const QUESTION = '삼성전자 어때요?';
/** Looks something up for that question alone: a request about anything else takes none of its answers. */
const replyTo = (body: AnthropicBody): FakeReply => {
  if (spokenIn(body) === QUESTION) return looksUp;
  const isLookedUp = blocksOf(body.messages.at(-1)?.content ?? []).some(({ type }) => type === 'tool_result');
  return answer(isLookedUp ? '좋습니다.' : `${ECHO}${spokenIn(body)}`);
};

/** What people see while an answer is being made. */
export const liveCases = ({ can }: PlatformKit, talk: () => Talk, rooms: LiveRooms): void => {
  it.runIf(can.status !== 'none').each(['off', 'status'] as const)(
    'in mode %s nothing is written before the answer is there',
    async (mode) => {
      const { platform, sees, claude, count } = talk();
      const minsu = platform.addPerson('minsu', { locale: 'ko' });
      const room = rooms.of(mode);
      const letGo = holdTools();
      const begun = count('tool:policy:verdict');
      claude.otherwise(replyTo);
      const said = platform.say(minsu, room, QUESTION, { mention: true });
      await eventually(() => count('tool:policy:verdict') > begun);
      if (mode === 'status' && can.status === 'words')
        await eventually(
          () => platform.statusFor(said) === '삼성전자 시세 조회 중…',
          () => platform.statusesSeen(),
        );
      else if (mode === 'status') await eventually(() => platform.statusFor(said).includes('typing'));
      else await eventually(() => platform.statusFor(said) === (can.status === 'typing' ? '👀' : ''));
      expect(platform.seenBy(minsu, room)).toEqual([]);
      letGo();
      await sees(minsu, room, '좋습니다.');
      expect(platform.seenBy(minsu, room)).toHaveLength(1);
      if (can.status === 'words') await eventually(() => platform.statusFor(said) === '');
    },
  );

  it.runIf(can.stream)(
    'in mode stream the answer is seen as it is written, and its end takes its place',
    async () => {
      const { platform, sees, claude } = talk();
      const ann = platform.addPerson('ann');
      const room = rooms.of('stream');
      const last = begins({ text: 'It began in a small garage, ' }, answer('and it ended well.'));
      claude.reply(last.reply);
      platform.say(ann, room, 'Tell me of Apple', { mention: true });
      await sees(ann, room, 'It began in a small');
      expect(platform.seenBy(ann, room)).toHaveLength(1);
      last.letGo();
      await sees(ann, room, ({ text, isUnderWay }) => !isUnderWay && text.includes('and it ended well.'));
      expect(platform.seenBy(ann, room)).toHaveLength(1);
    },
  );

  it.runIf(can.stream)(
    'a model that breaks off in the middle leaves no half answer beside the whole one',
    async () => {
      const { platform, sees, claude } = talk();
      const ann = platform.addPerson('ann');
      const room = rooms.of('stream');
      const seen = () => platform.seenBy(ann, room).filter(({ text }) => /APPLE-\d/.test(text));
      const first = begins(
        { text: 'APPLE-1 was founded in a very ' },
        { kind: 'reset', answer: { text: 'small ' } },
      );
      const second = begins({ text: 'APPLE-2 was founded in a rather ' }, answer('large garage.'));
      claude.reply(first.reply, second.reply);
      platform.say(ann, room, 'Tell me of Apple', { mention: true });
      await sees(ann, room, 'APPLE-1');
      first.letGo();
      await sees(ann, room, 'APPLE-2');
      expect(
        seen()
          .map(({ text }) => text)
          .join('\n'),
      ).not.toContain('APPLE-1');
      second.letGo();
      await sees(ann, room, ({ text, isUnderWay }) => !isUnderWay && text.includes('large garage.'));
      expect(seen()).toHaveLength(1);
      expect(seen().at(0)?.text).not.toContain('APPLE-1');
    },
  );
};
