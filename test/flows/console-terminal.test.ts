import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createConsoleChannel } from '#channels/console/adapter.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { createLogger } from '#src/platform/logging/logger.ts';
import { startAppOn } from '#test/support/app.ts';
import { answer, startServers } from '#test/support/engine-app.ts';
import { stripMentions } from '#test/support/markup.ts';
import { eventually } from '#test/support/platforms/talk.ts';
import { VirtualTerminal } from '#test/support/virtual-terminal.ts';

const logger = createLogger({ level: 'error', pretty: false, secrets: [], write: () => undefined });
const COLUMNS = 100;
const ROWS = 60;

/** The whole program on a terminal, at which somebody types. */
const sitDown = async (env: NodeJS.ProcessEnv = {}) => {
  const terminal = new VirtualTerminal(COLUMNS, ROWS);
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: Buffer | string, _encoding, done) => {
      terminal.write(chunk.toString());
      done();
    },
  });
  const keyboard = new PassThrough();
  const channel = createConsoleChannel({
    stripMentions,
    input: Object.assign(keyboard, { isTTY: true as const }),
    output: Object.assign(output, { isTTY: true as const, columns: COLUMNS, rows: ROWS }),
    hasColour: false,
    locale: 'en',
    version: '0.0.0',
    clock: systemClock,
    logger,
  });
  await startAppOn(channel, { env });
  const type = (keys: string): void => void keyboard.write(keys);
  const sees = (words: RegExp | string): Promise<unknown> =>
    eventually(
      () => terminal.lines.some((line) => (typeof words === 'string' ? line === words : words.test(line))),
      () => terminal.lines,
    );
  return { terminal, type, sees };
};

const ROWS_OF_A_SHEET = [
  'date\tkind\tsymbol\tquantity\tprice',
  '2026-03-02\tbuy\tAAPL\t3\t200',
  '2026-03-03\tbuy\tMSFT\t1\t400',
].join('\n');

describe('a person at the terminal', () => {
  it('picks what is offered below an answer by its number', async () => {
    const { type, sees } = await sitDown();
    type('/price AAPL\r');
    await sees(/^1\) Chart {3}2\) News/);
    type('1\r');
    await sees(/^Apple \(AAPL\) 6 months [▲▼] /);
  });

  it('sees the recent closes below a price, by command and in words', async () => {
    const { terminal, type, sees } = await sitDown();
    const line = /^30 daily closes [▁-█]{30} [▲▼] [+-]\d+\.\d\d% · \d\d-\d\d – \d\d-\d\d$/;
    type('/price AAPL\r');
    await sees(/^1\) Chart {3}2\) News/);
    expect(terminal.lines.filter((each) => line.test(each))).toHaveLength(1);
    type('How is Microsoft doing?\r');
    await eventually(() => terminal.lines.filter((each) => line.test(each)).length === 2);
  });

  it('picks what is offered below an answer to a question in words', async () => {
    const { type, sees } = await sitDown();
    type('How is Apple doing?\r');
    await sees(/^1\) Chart {3}2\) News/);
    type('1\r');
    await sees(/^Apple \(AAPL\) 6 months [▲▼] /);
  });

  it('picks what an ambiguous name may mean by its number, as on every platform', async () => {
    const { type, sees } = await sitDown();
    type('/price 삼성\r');
    await sees(/^1\) .* 2\) .*\(207940, KOSPI\)/);
    type('2번\r');
    await sees(/^Samsung Biologics \(207940\) ₩[\d,]+ /);
  });

  it('sees the matches of a search once, and picks one by its number', async () => {
    const { terminal, type, sees } = await sitDown();
    type('/search hynix\r');
    await sees(/^1\. SK hynix/);
    await eventually(() => terminal.lines.at(-1) === '›');
    expect(terminal.lines.filter((line) => line.includes('000660'))).toHaveLength(1);
    type('1\r');
    await sees(/^SK hynix \(000660\) ₩[\d,]+ /);
  });

  it('completes commands and names of instruments with Tab', async () => {
    const { type, sees } = await sitDown();
    type('/pric\t');
    await sees('› /price');
    type('애플\t');
    await sees(/^Apple Inc\. \(AAPL, NASDAQ\)/);
  });

  it('pastes rows below a command as one message', async () => {
    const { type, sees } = await sitDown();
    type(`\u001b[200~/portfolio import\n${ROWS_OF_A_SHEET}\n\u001b[201~`);
    type('\r');
    await sees('1) Record all 2   2) Cancel');
    type('1\r');
    await sees(/^Recorded in main: 2/);
  });

  it('sees the answer of a model as it is written, then once as a whole, with its table drawn', async () => {
    const { claude } = await startServers();
    const { promise, resolve } = Promise.withResolvers<void>();
    const table = '| Name | Founded |\n|---|---|\n| **Apple** | in a garage |';
    claude.reply({
      kind: 'hold',
      until: promise,
      answer: { text: 'It began in a small garage, ' },
      // oxlint-disable-next-line unicorn/no-thenable -- the shared word for it; nobody awaits a reply
      then: answer(`and it ended well.\n\n${table}`),
    });
    const env = { ANTHROPIC_BASE_URL: claude.url, ANTHROPIC_API_KEY: 'sk-ant-test-key-0001' };
    const { terminal, type, sees } = await sitDown(env);
    type('Tell me of Apple\r');
    await sees(/^[⠋-⠿] \S.*…$/u);
    await sees(/^It began in a small garage,/);
    resolve();
    await sees('│ Apple │ in a garage │');
    await eventually(() => terminal.lines.at(-1) === '›');
    expect(terminal.lines.filter((line) => line.includes('It began'))).toHaveLength(1);
    expect(terminal.lines.filter((line) => line.startsWith('┌'))).toHaveLength(1);
    expect(terminal.lines.join('\n')).not.toMatch(/^[⠋-⠿]/mu);
  });
});
