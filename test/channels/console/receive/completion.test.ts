import { describe, expect, it } from 'vitest';
import type { ChannelHost } from '#src/kernel/channel/host.ts';
import type { CommandDefinition, CommandOption } from '#src/kernel/chat/command-definition.ts';
import { openTerminal } from '../terminal-support.ts';

const both = (text: string) => ({ ko: `${text} (ko)`, en: text });
const SYMBOL: CommandOption = {
  name: 'symbol',
  nameKo: '종목',
  description: both('what'),
  type: 'text',
  isRequired: true,
  suggest: 'symbol',
};
const RANGE: CommandOption = {
  name: 'range',
  nameKo: '기간',
  description: both('how long'),
  type: 'text',
  choices: ['1mo', '6mo', '1y'].map((value) => ({ value, label: both(value) })),
};
const IN: CommandOption = {
  name: 'portfolio',
  nameKo: '포트폴리오',
  description: both('in which'),
  type: 'text',
  isNamed: true,
  suggest: 'portfolio',
};
const YES: CommandOption = { name: 'yes', nameKo: '확인', description: both('sure'), type: 'flag' };

const command = (name: string, more: Partial<CommandDefinition> = {}): CommandDefinition => ({
  name,
  aliases: [],
  description: both(`about ${name}`),
  usage: both(`/${name}`),
  category: 'finance',
  ...more,
});
const DEFINITIONS: readonly CommandDefinition[] = [
  command('price', { aliases: ['시세'], options: [SYMBOL] }),
  command('chart', { options: [SYMBOL, RANGE] }),
  command('portfolio', {
    subcommands: [
      { name: 'buy', nameKo: '매수', description: both('buys'), options: [SYMBOL, IN, YES] },
      { name: 'delete', nameKo: '삭제', description: both('deletes'), options: [IN] },
      { name: 'default', nameKo: '기본', description: both('chooses'), options: [IN] },
      { name: 'summary', nameKo: '요약', description: both('shows'), typed: '' },
    ],
  }),
];

const NAMES = {
  symbol: [
    { label: 'Apple (AAPL, NASDAQ)', value: 'AAPL' },
    { label: '삼성전자 (005930, KOSPI)', value: '005930' },
    { label: '삼성SDI (006400, KOSPI)', value: '006400' },
  ],
  portfolio: [{ label: 'Pension (KRW)', value: 'pension' }],
};
const onSuggest: ChannelHost['suggest'] = async (source, typed) =>
  (source === 'symbol' ? NAMES.symbol : source === 'portfolio' ? NAMES.portfolio : []).filter(
    ({ label, value }) => label.toLowerCase().includes(typed.toLowerCase()) || value.startsWith(typed),
  );

const open = async (options: Parameters<typeof openTerminal>[0] = {}) => {
  const opened = await openTerminal(options);
  opened.host.definitions = DEFINITIONS;
  opened.host.onSuggest = onSuggest;
  return opened;
};
const TAB = '\t';

describe('Tab', () => {
  it.each([
    ['a command', '/pr', '/price '],
    ['a command in Korean', '/시', '/시세 '],
    ['what several commands have in common', '/p', '/p'],
    ['an action', '/portfolio b', '/portfolio buy '],
    ['an action in Korean', '/portfolio 매', '/portfolio 매수 '],
    ['what several actions have in common', '/portfolio d', '/portfolio de'],
    ['an instrument', '/price apple', '/price AAPL '],
    ['an instrument of an action', '/portfolio buy app', '/portfolio buy AAPL '],
    ['an instrument whose name has a space', '/price 삼성전자 (0', '/price 005930 '],
    ['what an option can be', '/chart AAPL 6', '/chart AAPL 6mo '],
    ['the name of an option', '/portfolio buy AAPL --p', '/portfolio buy AAPL --portfolio='],
    ['a flag', '/portfolio buy AAPL --y', '/portfolio buy AAPL --yes '],
    [
      'something of one’s own',
      '/portfolio buy AAPL --portfolio=pen',
      '/portfolio buy AAPL --portfolio=pension ',
    ],
    ['nothing of a question', 'how is app', 'how is app'],
    ['nothing of an unknown command', '/nothing app', '/nothing app'],
    ['nothing where nothing fits', '/price zzz', '/price zzz'],
  ])('completes %s', async (_what, typed, completed) => {
    const { type, host } = await open();
    await type(typed);
    await type(TAB);
    await type('|\r');
    expect(host.bodies).toEqual([`${completed}|`]);
  });

  it('lists what is possible with what it is, above the line that is being typed', async () => {
    const { type, screen } = await open();
    await type('/price 삼성');
    await type(TAB);
    expect(screen.lines.slice(-3)).toEqual([
      '삼성전자 (005930, KOSPI)',
      '삼성SDI (006400, KOSPI)',
      '› /price 삼성',
    ]);
  });

  it('lists all actions and commands in the language of the person', async () => {
    const { type, screen } = await open({ locale: 'ko' });
    await type('/portfolio ');
    await type(TAB);
    expect(screen.lines.slice(-4)).toEqual([
      '매수 — buys (ko)',
      '삭제 — deletes (ko)',
      '기본 — chooses (ko)',
      '› /portfolio',
    ]);
  });

  it('lists many by their names alone, side by side', async () => {
    const { type, screen, host } = await open({ columns: 40 });
    host.definitions = Array.from({ length: 30 }, (_none, index) => command(`c${index}`, { aliases: [] }));
    await type('/');
    await type(TAB);
    await type(TAB);
    expect(screen.lines.at(-1)).toBe('› /c');
    expect(screen.lines).toContain('/c0   /c1   /c2   /c3   /c4   /c5');
  });

  it('leaves the text behind the cursor', async () => {
    const { type, host } = await open();
    await type('/pr 005930\u001b[D\u001b[D\u001b[D\u001b[D\u001b[D\u001b[D\u001b[D');
    await type(TAB);
    await type('\r');
    expect(host.bodies).toEqual(['/price  005930']);
  });

  it('is part of pasted rows', async () => {
    const { type, host } = await open();
    await type('/portfolio import ');
    await type('\u001b[200~AAPL\t3\t200\n삼성전자\t10\t70000\n\u001b[201~');
    await type('\r');
    expect(host.bodies).toEqual(['/portfolio import AAPL\t3\t200\n삼성전자\t10\t70000\n']);
  });

  it('does nothing to a key that is being typed', async () => {
    const { type, host, screen } = await open();
    await type('/keys add anthropic\r');
    await type('/pr');
    screen.take();
    await type(TAB);
    expect(screen.take()).toBe('');
    await type('\r');
    expect(host.addedKeys).toMatchObject([{ key: '/pr' }]);
  });
});
