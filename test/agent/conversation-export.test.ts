import { describe, expect, it } from 'vitest';
import { conversationAsJsonLines, conversationAsMarkdown } from '#src/agent/conversation-export.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import { atOnce } from '#src/platform/concurrency/cooperative-tasks.ts';
import { assistant, note, result, results, text, use, user } from '#test/agent/loop/runner-support.ts';
import { entriesOf } from '#test/agent/memory/transcript/support.ts';
import { SESSION } from '#test/agent/support.ts';

const EXPORTED_AT = Temporal.Instant.from('2026-11-14T00:00:00.123Z');
const CONTEXT = text('<context>\ntime: 2026-11-13T15:30+09:00[Asia/Seoul]\n</context>');

type Options = Partial<Parameters<typeof conversationAsMarkdown>[1]>;

/** All below the title and the time of the export; the messages are a second apart from half past three on. */
const bodyOf = (messages: readonly ConversationMessage[], options: Options = {}): string => {
  const whole = conversationAsMarkdown(entriesOf(1, messages), {
    locale: 'en',
    timeZone: 'Asia/Seoul',
    exportedAt: EXPORTED_AT,
    ...options,
  });
  return whole.split('\n\n').slice(2).join('\n\n');
};

describe('conversationAsMarkdown', () => {
  it.each([
    ['en', '# Conversation with FinClaw\n\nExported: 2026-11-14 09:00:00 Asia/Seoul\n'],
    ['ko', '# FinClaw와의 대화\n\n내보낸 시각: 2026-11-14 09:00:00 Asia/Seoul\n'],
  ] as const)('is headed in %s, with the time by the clock of its person', (locale, expected) => {
    const options = { locale, timeZone: 'Asia/Seoul', exportedAt: EXPORTED_AT };
    expect(conversationAsMarkdown([], options)).toBe(expected);
  });

  it.each([
    ['en', 'Asia/Seoul', '## You · 2026-11-13 15:30:00 Asia/Seoul', '15:30:01 Asia/Seoul'],
    ['ko', 'America/New_York', '## 나 · 2026-11-13 01:30:00 America/New_York', '01:30:01 America/New_York'],
  ] as const)('says in %s who said what when', (locale, timeZone, question, answeredAt) => {
    const body = bodyOf([user('How is Apple?'), assistant(text('It rose.'))], { locale, timeZone });
    expect(body).toBe(`${question}\n\nHow is Apple?\n\n## FinClaw · 2026-11-13 ${answeredAt}\n\nIt rose.\n`);
  });

  it('puts what was looked up below one heading with the answer that rests on it', () => {
    const body = bodyOf([
      user('How are they?'),
      assistant(text('I will look.'), use('c1', 'get_quote', { symbols: ['AAPL'] }), use('c2', 'get_news')),
      results(result('c1', 'AAPL 259.58\nup 3.1 %'), result('c2', 'no access', true)),
      assistant(text('Apple rose.')),
      user('Thanks'),
      assistant(text('Any time.')),
    ]);
    expect(body).toBe(
      [
        '## You · 2026-11-13 15:30:00 Asia/Seoul',
        'How are they?',
        '## FinClaw · 2026-11-13 15:30:01 Asia/Seoul',
        'I will look.',
        '_Looked up: get_quote {"symbols":["AAPL"]}_',
        '_Looked up: get_news {}_',
        '> Result: AAPL 259.58\n> up 3.1 %',
        '> Result (error): no access',
        'Apple rose.',
        '## You · 2026-11-13 15:30:04 Asia/Seoul',
        'Thanks',
        '## FinClaw · 2026-11-13 15:30:05 Asia/Seoul',
        'Any time.\n',
      ].join('\n\n'),
    );
  });

  it('names tools and results in the language of its person', () => {
    const messages = [
      user('애플 얼마야?'),
      assistant(use('c1', 'get_quote', { symbols: ['애플'] })),
      results(result('c1', '259.58'), result('c2', '없음', true)),
    ];
    expect(bodyOf(messages, { locale: 'ko' })).toContain(
      '_조회: get_quote {"symbols":["애플"]}_\n\n> 결과: 259.58\n\n> 결과 (오류): 없음',
    );
  });

  it('leaves out what the program added to the words of the person', () => {
    const body = bodyOf([
      { role: 'user', content: [text('How is Apple?'), CONTEXT] },
      assistant(text('Fine.')),
    ]);
    expect(body).toContain('How is Apple?\n\n## FinClaw');
    expect(body).not.toContain('context');
  });

  it('has no heading for a message in which nobody said anything', () => {
    const body = bodyOf([
      user('Go'),
      assistant(text('Wait.')),
      { role: 'user', content: [CONTEXT] },
      assistant(text('Enough.')),
    ]);
    expect(body.match(/^## You/gm)).toHaveLength(1);
    expect(body).toContain('Enough.');
  });

  it('shows nobody the words of the program that stand where an answer is missing', () => {
    const messages = [
      user('Apple?'),
      note('[No answer: the user stopped it.]'),
      user('Again'),
      assistant(text('Up.')),
    ];
    const body = bodyOf(messages);
    expect(body).not.toContain('No answer');
    expect(body.match(/^## \w+/gm)).toEqual(['## You', '## You', '## FinClaw']);
  });

  it('says who speaks also where the first part of an answer has nothing to show', () => {
    const thought = { type: 'thinking', model: 'm', text: 'hm', opaque: null } as const;
    const body = bodyOf([user('Apple?'), { ...assistant(thought), isPaused: true }, assistant(text('Up.'))]);
    expect(body).toContain('## FinClaw · 2026-11-13 15:30:02 Asia/Seoul\n\nUp.');
  });

  it('keeps what the person wrote themselves about a context', () => {
    for (const words of ['<context> is what?', 'What is </context>'])
      expect(bodyOf([user(words)])).toContain(words);
  });

  it('names pictures, and tells nothing of what the model thought', () => {
    const image = { type: 'image', name: 'chart.png', mimeType: 'image/png', base64: 'QUJD' } as const;
    const thought = { type: 'thinking', model: 'm', text: 'secretly', opaque: 'sealed' } as const;
    const messages = [
      { role: 'user' as const, content: [text('Look'), image] },
      assistant(thought, text('A chart.')),
    ];
    const body = bodyOf(messages);
    expect(body).toContain('Look\n\n[image: chart.png]');
    expect(bodyOf(messages, { locale: 'ko' })).toContain('[이미지: chart.png]');
    expect(body).not.toMatch(/QUJD|secretly|sealed/);
  });
});

type Line = Readonly<Record<string, unknown>>;

const linesOf = (messages: readonly ConversationMessage[]): readonly Line[] => {
  const options = { sessionKey: SESSION, exportedAt: EXPORTED_AT };
  const whole = atOnce(conversationAsJsonLines(entriesOf(1, messages), options)).join('');
  expect(whole.endsWith('\n')).toBe(true);
  return whole
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
};

describe('conversationAsJsonLines', () => {
  it('begins with a line about the conversation, and has one for each entry', () => {
    const fact = {
      entity: 'AAPL',
      metric: 'price',
      value: '259.58',
      unit: 'USD',
      asOf: '2026-11-13T06:30:00Z',
      source: 'yahoo',
      isSample: false,
    } as const;
    const chart = { kind: 'image', mimeType: 'image/png', name: 'a.png', url: 'file:///data/a.png' } as const;
    const answered = { ...result('c1', 'AAPL\n259.58'), facts: [fact], media: [chart], dependsOnZone: true };
    expect(
      linesOf([
        user('How is\nApple? 애플 🍎'),
        assistant(text('I will look.'), use('c1', 'get_quote', { symbols: ['AAPL'] })),
        results(answered),
        { ...assistant(text('It rose.')), standIn: { model: 'Small', chosen: 'Large' } },
      ]),
    ).toEqual([
      {
        type: 'conversation',
        format: 1,
        sessionKey: SESSION,
        exportedAt: '2026-11-14T00:00:00.123Z',
        entries: 4,
      },
      {
        type: 'entry',
        turnId: 'turn-1',
        at: '2026-11-13T06:30:00Z',
        role: 'user',
        content: [{ type: 'text', text: 'How is\nApple? 애플 🍎' }],
      },
      expect.objectContaining({
        at: '2026-11-13T06:30:01Z',
        role: 'assistant',
        content: [
          { type: 'text', text: 'I will look.' },
          { type: 'tool_use', id: 'c1', name: 'get_quote', input: { symbols: ['AAPL'] } },
        ],
      }),
      expect.objectContaining({
        role: 'tool',
        content: [
          {
            type: 'tool_result',
            toolUseId: 'c1',
            isError: false,
            content: 'AAPL\n259.58',
            facts: [fact],
            files: [{ kind: 'image', name: 'a.png', mimeType: 'image/png' }],
          },
        ],
      }),
      expect.objectContaining({ role: 'assistant', standIn: { model: 'Small', chosen: 'Large' } }),
    ]);
  });

  it('has nothing in it that the Markdown has not: context, thoughts, notes, corrected answers, pictures', () => {
    const image = { type: 'image', name: 'chart.png', mimeType: 'image/png', base64: 'QUJD' } as const;
    const thought = { type: 'thinking', model: 'm', text: 'secretly', opaque: 'sealed' } as const;
    const lines = linesOf([
      { role: 'user', content: [text('Look'), image, CONTEXT] },
      assistant(thought, text('It is 999.')),
      { ...user('<context>\nwrong\n</context>'), isRepair: true },
      { ...assistant(text('It is 201.')), shown: 'It is ~~201~~.' },
      user('Apple?'),
      note('[No answer: the user stopped it.]'),
    ]);
    expect(lines.slice(1).map(({ role, content }) => [role, content])).toEqual([
      [
        'user',
        [
          { type: 'text', text: 'Look' },
          { type: 'image', name: 'chart.png', mimeType: 'image/png' },
        ],
      ],
      ['assistant', [{ type: 'text', text: 'It is ~~201~~.' }]],
      ['user', [{ type: 'text', text: 'Apple?' }]],
    ]);
    expect(lines[0]).toMatchObject({ entries: 3 });
  });

  it('is written in few pieces, however long the conversation is', () => {
    const options = { sessionKey: SESSION, exportedAt: EXPORTED_AT };
    const entries = entriesOf(
      1,
      Array.from({ length: 2_000 }, (_, index) => user(`${index} ${'x'.repeat(100)}`)),
    );
    const pieces = atOnce(conversationAsJsonLines(entries, options));
    expect(pieces.length).toBeLessThan(20);
    expect(pieces.join('').match(/\n/g)).toHaveLength(2_001);
  });
});
