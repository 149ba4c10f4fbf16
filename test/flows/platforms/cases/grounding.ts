import { expect, it } from 'vitest';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import { answer, holds } from '#test/support/engine-app.ts';
import type { Place, PlatformKit, Seen } from '#test/support/platforms/driver.ts';
import { eventually, readIn, type Talk } from '#test/support/platforms/talk.ts';
import type { LiveRooms } from './live.ts';

const LOOKS_UP: FakeReply = {
  kind: 'answer',
  toolCalls: [{ name: 'get_quote', input: { symbols: ['삼성전자'] } }],
};
/** The tool said ₩102,300 and +0.29 %, and nothing of a market value or a ratio. */
const WRONG = '삼성전자(005930)는 현재 231,700원입니다. 시가총액은 약 912조 원, PER은 11.4배입니다.';
const RIGHT = '삼성전자(005930)는 현재 102,300원으로 전일보다 0.29% 상승했습니다.';
const QUESTION = '삼성전자 어때?';

const isWhole =
  (words: string) =>
  ({ text, isUnderWay }: Seen): boolean =>
    !isUnderWay && text.includes(words);

/** What people see of the numbers of an answer that the tools did not give. */
export const groundingCases = ({ can }: PlatformKit, talk: () => Talk, rooms: LiveRooms): void => {
  const places = (): readonly (readonly [string, Place])[] => {
    const { platform } = talk();
    if (!can.rooms) return [['terminal', platform.direct(platform.addPerson('minsu', { locale: 'ko' }))]];
    return (can.stream ? (['off', 'stream'] as const) : (['off'] as const)).map((mode) => [
      mode,
      rooms.of(mode),
    ]);
  };
  it('are corrected before the answer stands there, with streaming on and off', async () => {
    const { platform, sees, claude } = talk();
    const minsu = platform.addPerson('minsu', { locale: 'ko' });
    for (const [mode, place] of places()) {
      const before = platform.seenBy(minsu, place).length;
      const requests = claude.history.length;
      const { promise, resolve } = Promise.withResolvers<void>();
      claude.reply(LOOKS_UP, answer(WRONG), holds(promise, answer(RIGHT)));
      platform.say(minsu, place, QUESTION, { mention: true });
      await eventually(() => claude.history.length === requests + 3);
      // The model reads what the tools said; the person sees nothing of the first answer any more.
      expect(readIn(claude.history.at(-1)?.body)).toContain('102300');
      if (mode === 'stream')
        await eventually(() => !platform.seenBy(minsu, place).some(({ text }) => text.includes('231,700')));
      resolve();
      await sees(minsu, place, isWhole('상승했습니다'));
      const seen = platform.seenBy(minsu, place).slice(before);
      expect(seen).toHaveLength(1);
      expect(seen[0]?.text).toContain(RIGHT);
      expect(seen[0]?.text).not.toMatch(/231,700|912조|11\.4|출처를 확인|context/);
      expect(claude.history).toHaveLength(requests + 3);
    }
  });

  it('are marked where the model insists on them', async () => {
    const { platform, sees, claude } = talk();
    const minsu = platform.addPerson('minsu', { locale: 'ko' });
    for (const [, place] of places()) {
      const requests = claude.history.length;
      claude.reply(LOOKS_UP, answer(WRONG), answer(WRONG));
      platform.say(minsu, place, QUESTION, { mention: true });
      const { text } = await sees(minsu, place, isWhole('출처를 확인하지 못한 수치'));
      expect(text).toMatch(/231,700원\s?⚠/u);
      expect(text).toMatch(/912조 ?원?\s?⚠/u);
      expect(claude.history).toHaveLength(requests + 3);
    }
  });
};
