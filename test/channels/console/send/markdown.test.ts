import { stripVTControlCharacters } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawMarkdown } from '#channels/console/send/markdown.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { displayWidth } from '#src/platform/text/display-width.ts';

const draw = (text: string, width = 80): readonly string[] =>
  drawMarkdown(text, { width, hasColour: false, locale: 'en' });
const paintIn = (text: string, locale: Locale): string =>
  drawMarkdown(text, { width: 80, hasColour: true, locale }).join('\n');
const painted = (text: string): string => paintIn(text, 'en');

const red = (text: string): string => `\u001b[31m${text}\u001b[39m`;
const green = (text: string): string => `\u001b[32m${text}\u001b[39m`;
const blue = (text: string): string => `\u001b[94m${text}\u001b[39m`;

describe('drawMarkdown: words', () => {
  it.each([
    ['bold', '**굵게**', '\u001b[1m굵게\u001b[22m'],
    ['italic', '_기울임_', '\u001b[3m기울임\u001b[23m'],
    ['italic with a star', '*so*', '\u001b[3mso\u001b[23m'],
    ['code', '`/help`', '\u001b[36m/help\u001b[39m'],
    ['struck words', '~~old~~', '\u001b[9mold\u001b[29m'],
    ['a heading', '## Today', '\u001b[1m\u001b[4mToday\u001b[24m\u001b[22m'],
    ['an address', '<https://example.com/a_b_c>', '\u001b[4mhttps://example.com/a_b_c\u001b[24m'],
    ['bold within italic', '_a **b**_', '\u001b[3ma \u001b[23m\u001b[3m\u001b[1mb\u001b[22m\u001b[23m'],
  ])('shows %s as a style, and as plain words without colour', (_what, markdown, styled) => {
    expect(painted(markdown)).toBe(styled);
    expect(draw(markdown)).toEqual([stripVTControlCharacters(styled)]);
  });

  it.each([
    'snake_case_names',
    '3 * 4 * 5',
    '2 ** 3 and 4 ** 5',
    'half a `tick',
    'half **bold',
    'a < b > c',
    '#1',
  ])('leaves %j as it is', (text) => {
    expect(draw(text)).toEqual([text]);
    expect(painted(text)).toBe(text);
  });

  it('shows an escaped sign as the sign', () => {
    expect(painted('2 \\* 3 \\* 4 and \\_x\\_')).toBe('2 * 3 * 4 and _x_');
  });

  it('shows where a link leads', () => {
    expect(draw('[Your bank](https://evil.example)')).toEqual(['Your bank (https://evil.example)']);
  });

  it('removes escape sequences from a text', () => {
    expect(draw('a\u001b[2Jb\u0007\n```\n\u001b]0;x\u0007\n```')).toEqual(['a[2Jb', ']0;x']);
  });

  it('shows the lines of code as they are, however long, without its fences', () => {
    const code = `const a_b = **1**; // ${'x'.repeat(100)}`;
    expect(draw(`before\n\`\`\`ts\n${code}\n  - 1\n\`\`\`\n- after`)).toEqual([
      'before',
      code,
      '  - 1',
      '• after',
    ]);
  });
});

describe('drawMarkdown: rises and falls', () => {
  it('are green and red in English, red and blue in Korean', () => {
    expect(paintIn('▲ +$3 (+1.5%)', 'en')).toBe(`${green('▲')} ${green('+$3')} (${green('+1.5%')})`);
    expect(paintIn('▲ +₩300 (+0.29%)', 'ko')).toBe(`${red('▲')} ${red('+₩300')} (${red('+0.29%')})`);
    expect(paintIn('▼ -₩7,858 (−0.59%)', 'ko')).toBe(`${blue('▼')} ${blue('-₩7,858')} (${blue('−0.59%')})`);
    expect(paintIn('▼ 12', 'en')).toBe(red('▼ 12'));
    expect(paintIn('▲ +32.10 (+0.42%)', 'en')).toBe(`${green('▲')} ${green('+32.10')} (${green('+0.42%')})`);
    expect(paintIn('-1,200원, +0.03%p', 'ko')).toBe(`${blue('-1,200원')}, ${red('+0.03%p')}`);
    expect(paintIn('+USD 5, −KRW 300', 'en')).toBe(`${green('+USD 5')}, ${red('−KRW 300')}`);
  });

  it('colour a line of closes by the arrow behind it', () => {
    expect(paintIn('closes ▁▂█ ▲ +2%', 'en')).toBe(`closes ${green('▁▂█ ▲')} ${green('+2%')}`);
    expect(paintIn('종가 ▁▂█ ▲ +2%', 'ko')).toBe(`종가 ${red('▁▂█ ▲')} ${red('+2%')}`);
    expect(paintIn('종가 █▂▁ ▼ -2%', 'ko')).toBe(`종가 ${blue('█▂▁ ▼')} ${blue('-2%')}`);
    expect(paintIn('closes ▄▄▄ ■ 0.00%', 'en')).toBe('closes ▄▄▄ ■ 0.00%');
  });

  it.each([
    '2026-11-13',
    'UTC+9',
    '3-5 days',
    '+0.00%',
    '-0',
    'BRK-B',
    '`+5%`',
    'A/B -',
    '23:00 (-1)',
    '05:00 (+1)',
    '-0.13',
    '+2',
    '+82 10',
  ])('are not seen in %j', (text) => {
    expect(painted(text)).not.toMatch(/\u001b\[(?:31|32|94)m/);
  });

  it('keep their colour within bold words and cells', () => {
    expect(painted('**+5%**')).toContain('\u001b[32m+5%');
    expect(painted('| a | b |\n|---|---|\n| x | -5% |')).toContain(red('-5%'));
  });
});

describe('drawMarkdown: lines', () => {
  it('draws lists with bullets, and their further lines below the words', () => {
    expect(draw('- 하나 둘 셋 넷 다섯\n  - inner words go on\n10. ten eleven twelve', 18)).toEqual([
      '• 하나 둘 셋 넷',
      '  다섯',
      '  • inner words go',
      '    on',
      '10. ten eleven',
      '    twelve',
    ]);
  });

  it('draws quotes and rules', () => {
    expect(draw('> said\n---', 20)).toEqual(['│ said', '─'.repeat(20)]);
  });

  it('keeps empty lines and the indent of others', () => {
    expect(draw('a\n\n   b')).toEqual(['a', '', '   b']);
  });

  it('breaks between words, and keeps a word whole that consists of several styles', () => {
    expect(draw('오늘 **삼성전자**는 올랐습니다', 16)).toEqual(['오늘 삼성전자는', '올랐습니다']);
  });

  it('leaves an address whole that is wider than the screen', () => {
    const address = `https://example.com/${'a'.repeat(60)}`;
    expect(draw(`see ${address} there`, 30)).toEqual(['see', address, 'there']);
  });

  it('never cuts a word and never exceeds the width where no word does', () => {
    const word = fc.constantFrom(
      'a',
      '삼성전자',
      '**bold**',
      '`code`',
      '+5%',
      '가나다',
      '🚀',
      'word',
      '한',
      '(x)',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), fc.integer({ min: 16, max: 50 }), (words, width) => {
        const lines = draw(words.join(' '), width);
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        expect(lines.join(' ')).toBe(draw(words.join(' '), 10_000).join(' '));
      }),
    );
  });
});

describe('drawMarkdown: tables', () => {
  const TABLE = [
    '| 종목 | Price | 비고 |',
    '|------|-------|:----:|',
    '| 삼성전자 | ₩102,300 | ok |',
    '| Apple | ₩1,000 | a\\|b |',
  ].join('\n');

  it('are drawn with lines, numbers to the right, and wide characters count as two columns', () => {
    expect(draw(`before\n${TABLE}\nafter`)).toEqual([
      'before',
      '┌──────────┬──────────┬──────┐',
      '│ 종목     │    Price │ 비고 │',
      '├──────────┼──────────┼──────┤',
      '│ 삼성전자 │ ₩102,300 │  ok  │',
      '│ Apple    │   ₩1,000 │ a|b  │',
      '└──────────┴──────────┴──────┘',
      'after',
    ]);
  });

  it('wrap their cells between words where the screen is too narrow', () => {
    const wide = '| 이름 | 설명 |\n|---|---|\n| A | 반도체와 휴대전화를 만드는 회사 |';
    expect(draw(wide, 30)).toEqual([
      '┌──────┬─────────────────────┐',
      '│ 이름 │ 설명                │',
      '├──────┼─────────────────────┤',
      '│ A    │ 반도체와 휴대전화를 │',
      '│      │ 만드는 회사         │',
      '└──────┴─────────────────────┘',
    ]);
  });

  it('become lists where not even their words fit', () => {
    const many = `|${' name |'.repeat(6)}\n|${'---|'.repeat(6)}\n|${' 12,345,678 |'.repeat(6)}\n| x |`;
    expect(draw(many, 40)).toEqual([...Array<string>(6).fill('name: 12,345,678'), '', 'name: x']);
  });

  it('are as wide as the screen at most, and all lines of one are equally wide', () => {
    const cell = fc.constantFrom(
      '',
      'a',
      '삼성전자',
      '+5%',
      '긴 설명 여러 낱말',
      'a long cell of words',
      '🚀',
      '**b**',
    );
    const rows = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(rows, fc.integer({ min: 40, max: 90 }), (cells, width) => {
        const lines = cells.map((row) => `| ${row.join(' | ')} |`);
        const drawn = draw(['| 종목 | b | c |', '|---|---|---|', ...lines].join('\n'), width);
        const [first = ''] = drawn;
        expect(displayWidth(first)).toBeLessThanOrEqual(width);
        for (const line of drawn) expect(displayWidth(line)).toBe(displayWidth(first));
      }),
    );
  });

  it('take little time, however many columns and rows somebody sends', () => {
    const columns = 2_500;
    const text = `${'|a'.repeat(columns)}\n${'|-'.repeat(columns)}${'\n|'.repeat(5_000)}`;
    const startedAt = performance.now();
    draw(text);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  it.each(['a | b', '| a |\ntext', '| a | b |\n|---|\n| 1 |', 'x\n---'])('are not seen in %j', (text) => {
    expect(draw(text).join()).not.toContain('┌');
  });
});
