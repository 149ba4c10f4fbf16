import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createConsoleChannel } from '#channels/console/adapter.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { createLogger } from '#src/platform/logging/logger.ts';
import { startAppOn } from '#test/support/app.ts';
import { stripMentions } from '#test/support/markup.ts';

const logger = createLogger({ level: 'error', pretty: false, secrets: [], write: () => undefined });

/** What a person reads who pipes these lines into the program. */
const chat = async (input: string | Buffer, locale?: Locale): Promise<string> => {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const channel = createConsoleChannel({
    stripMentions,
    input: stdin,
    output: stdout,
    hasColour: false,
    locale,
    version: '0.0.0',
    clock: systemClock,
    logger,
  });
  const { app } = await startAppOn(channel);
  stdin.end(input);
  await app.stopped;
  stdout.end();
  return text(stdout);
};

describe('a chat in the terminal', () => {
  it('answers commands and questions in the language they are asked in, and ends with the input', async () => {
    const answers = await chat(
      [
        '/help',
        '/price AAPL',
        '/price 삼성전자',
        '삼성전자 지금 얼마야?',
        'How is Apple doing today?',
        '',
      ].join('\n'),
    );
    const [help = '', apple = '', samsung = '', koreanQuestion = '', englishQuestion = ''] = answers.split(
      /(?<=lists all\.)\n|(?<=prices, not real|시세, 실제 아님)\n/,
    );
    expect(help).toContain('What I can do');
    expect(help).toContain('/price — the price of a stock');
    expect(apple).toContain('Apple (AAPL)');
    expect(apple).toMatch(/ · sample$/m);
    expect(apple).toContain('SAMPLE');
    expect(samsung).toContain('삼성전자 (005930)');
    expect(samsung).toContain('샘플');
    expect(koreanQuestion).toContain('삼성전자 (005930)');
    expect(koreanQuestion).toContain('AI 없이 규칙으로');
    expect(koreanQuestion).toContain('샘플');
    expect(englishQuestion).toContain('Apple (AAPL)');
    // Said once a day.
    expect(englishQuestion).not.toContain('by rules, without AI');
    expect(englishQuestion).toContain('SAMPLE');
  });

  it('speaks the language of the machine where the text does not tell', async () => {
    expect(await chat('/price AAPL\n', 'ko')).toContain('애플 (AAPL)');
  });

  it.each([
    ['an unknown command gets the nearest name', '/prise AAPL', 'Did you mean /price?'],
    ['a price without a name asks for one', '/price', 'Which one?'],
    ['a price of something unknown says so', '/price zzzz', 'I don\'t know "zzzz"'],
    ['an ambiguous name is a question, not a guess', '/price 삼성', '삼성바이오로직스 (207940, KOSPI)'],
    [
      'a question the model cannot answer is refused honestly',
      'Should I quit my job?',
      'no advice or forecasts',
    ],
    ['a line of 100 KB is refused with what to do', '가'.repeat(102_400), '나누어 보내 주세요'],
    ['words of another script are not an error', 'مرحبا 🚀', 'مرحبا'],
  ])('%s', async (_name, line, expected) => {
    expect(await chat(`${line}\n`)).toContain(expected);
  });

  it('names a line that is not UTF-8 and answers the ones around it', async () => {
    const input = Buffer.concat([
      Buffer.from('/price KO\n'),
      Buffer.from([0xff, 0xfe, 0x0a]),
      Buffer.from('/price JPM'),
    ]);
    const answers = await chat(input);
    expect(answers).toContain('(KO)');
    expect(answers).toContain('Line 2 is not valid UTF-8');
    expect(answers).toContain('(JPM)');
  });

  it('answers nothing to empty lines', async () => {
    expect(await chat('\n   \n\t\n')).toBe('');
  });

  it('begins anew after /reset, and says when there was nothing to reset', async () => {
    const answers = await chat('/reset\nhello\n/reset\n');
    expect(answers).toContain('nothing to reset');
    expect(answers).toContain('starts over');
  });
});
