import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { PlatformKit } from '#test/support/platforms/driver.ts';
import { ECHO, eventually, type Talk } from '#test/support/platforms/talk.ts';

const KEY = `sk-ant-api03-${'A1b2'.repeat(23)}`;

export const filesHolding = (dataDir: string, text: string): readonly string[] =>
  readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path).includes(text));

/** Commands as the platform offers them. */
export const commandCases = ({ can, name }: PlatformKit, talk: () => Talk): void => {
  const withCalls = it.runIf(can.calls);

  it('/price shows a quote, drawn where that is possible, and marked as a sample once', async () => {
    const { platform, sees } = talk();
    const ann = platform.addPerson('ann');
    const place = can.rooms ? platform.addRoom('prices') : platform.direct(ann);
    platform.call(ann, place, 'price', { symbol: 'AAPL' });
    const seen = await sees(ann, place, /Apple \(AAPL\)[^]*\$\d[\d,]*\.\d\d/);
    expect(seen.text.match(/⚠️ SAMPLE prices, not real/gu)).toHaveLength(1);
    expect(seen.cards).toBe(can.cards ? 1 : 0);
    if (!can.rooms) return;
    expect(seen.isPrivate).toBe(false);
    const bob = platform.addPerson('bob');
    expect(platform.seenBy(bob, place)).toEqual(platform.seenBy(ann, place));
  });

  it('/price answers in Korean who speaks Korean', async () => {
    const { platform, sees } = talk();
    const minsu = platform.addPerson('minsu', { locale: 'ko' });
    platform.call(minsu, platform.direct(minsu), 'price', { symbol: '삼성전자' });
    const { text } = await sees(minsu, platform.direct(minsu), /삼성전자 \(005930\)[^]*₩\d[\d,]+/);
    expect(text.match(/⚠️ 샘플\(SAMPLE\) 시세, 실제 아님/gu)).toHaveLength(1);
  });

  it.runIf(can.buttons)('an ambiguous name can be answered by pressing what was meant', async () => {
    const { platform, sees } = talk();
    const ann = platform.addPerson('ann', { locale: 'ko' });
    const room = platform.addRoom('choices');
    platform.call(ann, room, 'price', { symbol: '삼성' });
    const question = await sees(ann, room, ({ buttons }) => buttons.length > 1);
    const wanted = question.buttons.find(({ label }) => label.includes('삼성바이오로직스'));
    const call = platform.press(ann, question, wanted?.label ?? '');
    await sees(ann, room, ({ text, cards }) => cards === 1 && text.includes('삼성바이오로직스 (207940)'));
    expect(call.acknowledgedAfterMs()).toBeLessThan(3_000);
  });

  it('/help lists what there is', async () => {
    const { platform, sees } = talk();
    const ann = platform.addPerson('ann');
    platform.call(ann, platform.direct(ann), 'help');
    expect((await sees(ann, platform.direct(ann), 'What I can do')).text).toMatch(/\/(?:finclaw )?price/);
  });

  it('an unknown command is answered with the nearest one', async () => {
    const { platform, sees } = talk();
    const ann = platform.addPerson('ann');
    platform.say(ann, platform.direct(ann), '/prise AAPL');
    await sees(ann, platform.direct(ann), 'Did you mean');
  });

  withCalls(
    'a command that the bot does not know (any more) is answered, and not left to time out',
    async () => {
      const { platform, sees } = talk();
      const ann = platform.addPerson('ann');
      const room = platform.addRoom('unknown');
      const call = platform.call(ann, room, 'horoscope', {}, { isUnknown: true });
      await sees(ann, room, ({ isUnderWay, text }) => !isUnderWay && text !== '');
      expect(call.acknowledgedAfterMs()).toBeLessThan(3_000);
    },
  );

  withCalls('what concerns one person alone is seen by nobody else', async () => {
    const { platform, sees } = talk();
    const [ann, bob] = [platform.addPerson('ann'), platform.addPerson('bob')];
    const room = platform.addRoom('private');
    platform.call(ann, room, 'usage');
    expect((await sees(ann, room, 'Nothing used yet')).isPrivate).toBe(true);
    expect(platform.seenBy(bob, room)).toEqual([]);
  });

  it.runIf(can.rooms)('also where it was typed into a room as a message', async () => {
    const { platform, sees } = talk();
    const [ann, bob] = [platform.addPerson('ann'), platform.addPerson('bob')];
    const room = platform.addRoom('typed');
    platform.say(ann, room, '/usage', { mention: true });
    // Discord hides nothing in a room from the others.
    await sees(ann, name === 'discord' ? platform.direct(ann) : room, 'Nothing used yet');
    // The room has gone on: what was to be shown there has been.
    platform.say(bob, room, 'anything new?', { mention: true });
    await sees(bob, room, `${ECHO}anything new?`);
    expect(
      platform
        .seenBy(bob, room)
        .map(({ text }) => text)
        .join('\n'),
    ).not.toContain('Nothing used yet');
  });

  it.runIf(can.rooms)('who is refused a command is told where they typed it', async () => {
    const { platform, sees } = talk();
    const ann = platform.addPerson('ann');
    const room = platform.addRoom('refused');
    platform.say(ann, room, '/debug', { mention: true });
    await sees(ann, room, 'administrators');
    expect(platform.seenBy(ann, platform.direct(ann))).toEqual([]);
  });

  it.runIf(can.typedOptions)('a name completes itself while it is typed', async () => {
    const { platform } = talk();
    const ann = platform.addPerson('ann', { locale: 'ko' });
    const room = platform.addRoom('typing');
    expect((await platform.suggestions(ann, room, '삼ㅅ')).join('\n')).toContain('삼성전자 (005930, KOSPI)');
  });

  it('a command of the documented plugin is called as every other, and explained in Korean too', async () => {
    const { platform, sees } = talk();
    const minsu = platform.addPerson('minsu', { locale: 'ko' });
    const place = can.rooms ? platform.addRoom('dice') : platform.direct(minsu);
    // Slack knows the commands of its manifest alone; all others run through `/finclaw`.
    if (name === 'slack') platform.call(minsu, place, 'finclaw', { command: 'dice 1' });
    else platform.call(minsu, place, 'dice', { sides: '1' });
    expect((await sees(minsu, place, '🎲 1')).isPrivate).toBe(true);
    platform.call(minsu, place, 'help', { command: '주사위' });
    await sees(minsu, place, '주사위를 굴립니다');
  });

  withCalls('a key is filled into a form, and stands in no chat, inbox or transcript', async () => {
    const { platform, sees, dataDir, log } = talk();
    const { boss } = platform;
    const room = platform.addRoom('keys');
    const call = platform.call(boss, room, 'keys', { action: 'add', target: 'anthropic' });
    await eventually(() => call.form());
    const sent = call.fillIn([KEY, 'spare']);
    await eventually(() => sent.acknowledgedAfterMs());
    platform.call(boss, room, 'keys');
    expect((await sees(boss, room, 'spare')).text).not.toContain(KEY);
    for (const place of [room, platform.direct(boss)])
      expect(JSON.stringify(platform.seenBy(boss, place))).not.toContain(KEY);
    expect(log.join('\n')).not.toContain(KEY);
    expect(filesHolding(dataDir, KEY)).toEqual([]);
  });

  withCalls('others do not get that form', async () => {
    const { platform, sees } = talk();
    const ann = platform.addPerson('ann');
    const room = platform.addRoom('no-keys');
    const call = platform.call(ann, room, 'keys', { action: 'add', target: 'anthropic' });
    expect((await sees(ann, room, 'administrators')).isPrivate).toBe(true);
    expect(call.form()).toBeUndefined();
  });
};
