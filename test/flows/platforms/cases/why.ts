import { expect, it } from 'vitest';
import { type AnthropicBody, blocksOf } from '#test/fakes/anthropic/body.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import { answer } from '#test/support/engine-app.ts';
import type { Person, Place, PlatformKit, SayOptions, Seen } from '#test/support/platforms/driver.ts';
import type { Talk } from '#test/support/platforms/talk.ts';

/** The price in the result that the model has just read. */
const priceIn = ({ messages }: AnthropicBody): string =>
  /₩([\d,]+)/.exec(JSON.stringify(blocksOf(messages.at(-1)?.content ?? [])))?.[1] ?? 'nothing';

const LOOKS_UP = (name: string): FakeReply => ({
  kind: 'answer',
  toolCalls: [{ name: 'get_quote', input: { symbols: [name] } }],
});

const LABELS: ReadonlySet<string> = new Set(['근거', 'Why?']);

const whyOf = ({ buttons }: Seen): string | undefined =>
  buttons.find(({ label }) => LABELS.has(label))?.label;

/** The price in an answer about a stock: the sample goes on by the clock. */
const saidPrice = ({ text }: Seen): string => {
  const price = /현재가는 ([\d,]+)원/.exec(text)?.[1];
  if (!price) throw new Error(`No price is in: ${text}`);
  return price;
};

/** A question about a stock, and its answer with the price and these words. */
const asked = async (
  { platform, claude, sees }: Talk,
  person: Person,
  place: Place,
  { name, words, mention }: { readonly name: string; readonly words: string } & SayOptions,
): Promise<Seen> => {
  claude.reply(LOOKS_UP(name), (body) => answer(`${name} 현재가는 ${priceIn(body)}원입니다. ${words}`));
  platform.say(person, place, `${name} 얼마야?`, mention ? { mention } : {});
  return sees(person, place, (seen) => seen.text.includes(words) && !seen.isUnderWay);
};

/** Where the numbers of an answer come from. */
export const whyCases = ({ can }: PlatformKit, talk: () => Talk): void => {
  it('/why tells what each number of the last answer is, from which tool, of when and by whom', async () => {
    const { platform, sees } = talk();
    const ann = platform.addPerson('ann', { locale: 'ko' });
    const direct = platform.direct(ann);
    const answered = await asked(talk(), ann, direct, { name: '삼성전자', words: '오늘의 답입니다.' });
    platform.say(ann, direct, '/근거');
    const { text } = await sees(ann, direct, '숫자의 근거');
    expect(text).toMatch(
      new RegExp(`${saidPrice(answered)}원.* — 삼성전자 현재가 · \`?get_quote\`? · .*\\d.* · 샘플 데이터`),
    );
  });

  it('an answer without numbers has no button and no sources, and that of a command has no button', async () => {
    const { platform, sees, claude } = talk();
    const [ann, bob] = [platform.addPerson('ann'), platform.addPerson('bob')];
    const [direct, other] = [platform.direct(ann), platform.direct(bob)];
    claude.reply(answer('안녕하세요, 무엇을 도와드릴까요?'));
    platform.say(ann, direct, '반가워');
    const greeting = await sees(ann, direct, '무엇을 도와드릴까요?');
    expect(whyOf(greeting)).toBeUndefined();
    platform.say(ann, direct, '/출처');
    await sees(ann, direct, '그 답변에는 근거를 확인할 숫자가 없습니다.');
    // It says itself where its numbers come from.
    platform.say(bob, other, '/시세 삼성전자');
    const quoted = await sees(bob, other, ({ text: shown, cards }) => cards > 0 || shown.includes('52주'));
    expect(whyOf(quoted)).toBeUndefined();
  });

  it.runIf(can.rooms && can.buttons)(
    'the button explains its own answer to whoever presses it, alone, after another answer and a restart',
    async () => {
      const { platform, sees, restart } = talk();
      const ann = platform.addPerson('ann', { locale: 'ko' });
      const bob = platform.addPerson('bob', { locale: 'en' });
      const room = platform.addRoom('numbers');
      const first = await asked(talk(), ann, room, { name: '삼성전자', words: '첫째 답.', mention: true });
      await asked(talk(), ann, room, { name: 'SK하이닉스', words: '둘째 답.', mention: true });
      expect(whyOf(first)).toBe('근거');
      await restart();
      const call = platform.press(bob, first, whyOf(first) ?? '');
      const { text, isPrivate } = await sees(bob, room, 'Where the numbers come from');
      expect(text).toMatch(
        new RegExp(`${saidPrice(first)}원.* — Samsung Electronics\\b.* price · \`?get_quote\`? · `),
      );
      expect(text).not.toContain('hynix');
      expect(isPrivate).toBe(true);
      expect(platform.seenBy(ann, room).some((seen) => seen.text.includes('Where the numbers'))).toBe(false);
      expect(call.acknowledgedAfterMs()).toBeLessThan(3_000);
    },
  );

  it.runIf(can.replies)('/why as a reply explains the answer that it replies to', async () => {
    const { platform, sees } = talk();
    const ann = platform.addPerson('ann', { locale: 'ko' });
    const direct = platform.direct(ann);
    const first = await asked(talk(), ann, direct, { name: '삼성전자', words: '먼저 답.' });
    await asked(talk(), ann, direct, { name: 'SK하이닉스', words: '나중 답.' });
    const { place } = platform.replyTo(ann, first, '/근거');
    const { text } = await sees(ann, [direct, place], '숫자의 근거');
    expect(text).toContain('삼성전자 현재가');
    expect(text).not.toContain('하이닉스');
  });
};
