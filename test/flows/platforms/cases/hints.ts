import { expect, it } from 'vitest';
import { calls } from '#test/support/broker.ts';
import { answer } from '#test/support/engine-app.ts';
import type { PlatformKit } from '#test/support/platforms/driver.ts';
import { personalTalk } from '#test/support/platforms/personal-talk.ts';
import type { Talk } from '#test/support/platforms/talk.ts';

interface Words {
  readonly help: RegExp;
  readonly absent: RegExp;
  readonly deleteOne: RegExp;
  readonly export: RegExp;
}

/** The same suggestions, as each platform calls them. */
const WORDS: Readonly<Record<PlatformKit['name'], Words>> = {
  discord: {
    help: /<\/watch show:\d+> — [^]*<\/help:\d+> `command: <command>` explains/,
    absent: /`\/|--[a-z]/,
    deleteOne: /Delete <\/alert delete:\d+> `alert: ID`/,
    export: /<\/portfolio export:\d+> `portfolio: main`/,
  },
  slack: {
    help: /`\/finclaw search` — [^]*`\/finclaw help <command>` explains/,
    absent: /`\/(?!finclaw )|--[a-z]/,
    deleteOne: /Delete `\/finclaw alert delete ID`/,
    export: /`\/finclaw portfolio export portfolio:main`/,
  },
  console: {
    help: /\/search — [^]*\/help <command> explains/,
    absent: /button|<\//,
    deleteOne: /Delete \/alert delete ID/,
    export: /\/portfolio export --in=main/,
  },
};

/** What a person is told to do next, in the way of their platform. */
export const hintCases = (kit: PlatformKit, talk: () => Talk): void => {
  const { can, name } = kit;
  const words = WORDS[name];

  it('reads suggestions that work as they stand, and of buttons only where there are any', async () => {
    const ann = personalTalk(kit, talk(), 'ann');
    const ask = (command: string, values: Readonly<Record<string, string>>, wanted: RegExp) =>
      ann.call(name === 'slack' && command === 'help' ? 'finclaw' : command, values, wanted);
    const help = await ask('help', {}, words.help);
    await ask('alert', { condition: 'AMZN > 900' }, /Alert set/);
    const list = await ask('alerts', {}, words.deleteOne);
    const sure = await ask('alert', { condition: 'delete all' }, /cannot be undone/);
    expect(sure.text.includes('/alert delete all --yes')).toBe(!can.buttons);
    expect(sure.buttons.length > 0).toBe(can.buttons);
    const apple = { action: 'add', symbol: 'AAPL', quantity: '1', price: '190', details: '--yes' };
    await ask('portfolio', apple, /Recorded #1/);
    const far = await ask(
      'portfolio',
      { action: 'add', symbol: 'AAPL', quantity: '1', price: '190000' },
      /AAPL/,
    );
    const going = await ask('portfolio', { action: 'delete', details: 'main' }, words.export);
    for (const { text } of [help, list, sure, far, going]) expect(text).not.toMatch(words.absent);
    await ann.choose(sure, /^Yes/, '/alert delete all --yes', /deleted/i);
    await ann.choose(going, /^Delete main$/, '/portfolio delete main --yes', /were deleted/);
  });

  it.runIf(can.calls)(
    'asks in their own words by a command, and a misspelt one is told what was meant',
    async () => {
      const { claude, platform } = talk();
      const minsu = personalTalk(kit, talk(), 'minsu', { locale: 'ko' });
      const room = platform.addRoom('questions');
      claude.reply(
        calls({ name: 'get_quote', input: { symbols: ['삼성전자'] } }),
        answer('지금 ₩102,300입니다.'),
      );
      const [command, option] = name === 'slack' ? ['finclaw', 'text'] : ['ask', 'question'];
      const said = await minsu.call(command, { [option]: '삼성전자 얼마야?' }, /₩102,300/, room);
      expect(said.isPrivate).toBe(false);
      expect(JSON.stringify(claude.history.at(-1)?.body.messages)).toContain('삼성전자 얼마야?');
      // The same gates as for a message, and what is private stays so.
      const asked = claude.history.length;
      const key = `sk-ant-api03-${'Hj4KlM2'.repeat(12)}`;
      await minsu.call(command, { [option]: `이 키 써 줘 ${key}` }, /키/, room);
      const own = await minsu.call(command, { [option]: '/portfolio' }, /포트폴리오|기록/, room);
      expect(own.isPrivate).toBe(true);
      expect(claude.history).toHaveLength(asked);
      if (name !== 'slack') return;
      const typo = await minsu.call('finclaw', { text: 'pirce AAPL' }, /`\/finclaw price`/, room);
      expect(typo.isPrivate).toBe(true);
    },
  );
};
