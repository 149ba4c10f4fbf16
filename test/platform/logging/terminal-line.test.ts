import { describe, expect, it } from 'vitest';
import { FinClawError } from '#src/kernel/errors.ts';
import { createLogger, type LoggerOptions } from '#src/platform/logging/logger.ts';

const setUp = (options: Partial<LoggerOptions> = {}) => {
  const lines: string[] = [];
  const logger = createLogger({
    level: 'debug',
    pretty: false,
    secrets: [],
    write: (line) => lines.push(line),
    ...options,
  });
  return { logger, lines };
};

const stacksIn = (text: string): number =>
  text.split(/\\n {4}at|\n {4}at /).length > 1 ? text.split('"stack"').length - 1 : 0;

const failing = (error: unknown): string => {
  const { logger, lines } = setUp();
  logger.error('failed', { error });
  return lines.join('');
};

const lineOf = (message: string, fields: Readonly<Record<string, unknown>>, name = 'pipeline'): string => {
  const { logger, lines } = setUp({ pretty: true });
  logger.named(name).info(message, fields);
  return lines.join('').replace(/^\S+ /, '');
};

describe('a stack', () => {
  it.each([
    ['an error that we throw on purpose', new FinClawError('Bad input', 'BAD_INPUT')],
    [
      'a refused token behind it',
      new FinClawError('No login', 'LOGIN', { cause: Object.assign(new Error('401'), { status: 401 }) }),
    ],
    ['a failed connection', Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })],
    [
      'a failed fetch',
      new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ENOTFOUND' }) }),
    ],
    ['a timeout', new DOMException('late', 'TimeoutError')],
  ])('is not written for %s', (_what, error) => {
    expect(failing(error)).not.toContain('"stack"');
  });

  it.each([
    ['a mistake of ours', new TypeError('x is not a function')],
    [
      'a mistake behind an error that we expect',
      new FinClawError('No answer', 'X', { cause: new Error('broken') }),
    ],
    ['an error that is marked as a bug', new FinClawError('Never', 'BUG', { isOperational: false })],
    ['one of several errors', new AggregateError([new FinClawError('a', 'A'), new RangeError('b')], 'both')],
  ])('is written once for %s', (_what, error) => {
    expect(stacksIn(failing(error))).toBe(1);
  });

  it('stands below the line on a terminal, indented', () => {
    const { logger, lines } = setUp({ pretty: true });
    logger.error('failed', { error: new RangeError('broken\n12:00:00 forged') });
    const [first = '', ...frames] = lines.join('').trimEnd().split('\n');
    expect(first).toContain('ERROR failed error="broken\\n12:00:00 forged"');
    expect(frames.length).toBeGreaterThan(0);
    expect(frames.filter((line) => !line.startsWith('    at '))).toEqual([]);
  });
});

describe('a line on a terminal', () => {
  const message = { channelId: 'discord', chatType: 'direct' };

  it.each([
    [
      'answered',
      {
        ...message,
        durationMs: 402.290879,
        model: 'claude-sonnet-5-5-20260101',
        tools: 2,
        costUsd: 0.004_12,
      },
      'answered discord/direct in 402 ms · sonnet-5-5 · 2 tools · $0.004\n',
    ],
    [
      'answered',
      { ...message, durationMs: 12, command: 'price', tools: 0 },
      'answered discord/direct in 12 ms · /price\n',
    ],
    [
      'answered',
      { ...message, durationMs: 31_240, tools: 1, costUsd: 1.5 },
      'answered discord/direct in 31.2 s · 1 tool · $1.50\n',
    ],
    [
      'answered',
      { ...message, durationMs: 12, tools: 0, costUsd: 4e-7 },
      'answered discord/direct in 12 ms · <$0.0001\n',
    ],
    [
      'skipped',
      { ...message, durationMs: 3, tools: 0, reason: 'silent reply' },
      'skipped discord/direct in 3 ms · silent reply\n',
    ],
    [
      'failed',
      {
        ...message,
        sessionKey: 's',
        errorId: 'c0ffee00',
        error: new FinClawError('No lane', 'LANE_TIMEOUT'),
      },
      'failed discord/direct · No lane (LANE_TIMEOUT) · error c0ffee00\n',
    ],
  ])('says how a message ended: %s', (outcome, fields, line) => {
    expect(lineOf(outcome, fields)).toBe(line);
  });

  it('says who speaks, and rounds numbers', () => {
    expect(lineOf('Reconnected', { afterMs: 1_234.567, ratio: 0.123_456_789, host: 'a.b' }, 'discord')).toBe(
      'discord: Reconnected afterMs=1235 ratio=0.123457 host=a.b\n',
    );
  });

  it('does not name a speaker twice', () => {
    expect(lineOf('Slack: connected', {}, 'slack')).toBe('Slack: connected\n');
    expect(lineOf('Marketing began', {}, 'market')).toBe('market: Marketing began\n');
  });

  it.each(['\n', '\r', '\u001B[2J', '\u009B31m', '\u2028', '\u202E', '\u0007'])(
    'cannot be forged or coloured with %j, in JSON neither',
    (bad) => {
      const text = `x${bad}12:00:00 ERROR all is lost`;
      for (const pretty of [true, false]) {
        const { logger, lines } = setUp({ pretty });
        logger.named('slack').warn(text, { text, [text]: 1, error: new FinClawError(text, 'X') });
        expect(lines.join('').slice(0, -1)).not.toContain(bad);
        expect(lines).toHaveLength(1);
      }
    },
  );

  it.each([
    [
      'one with a message of its own',
      new AggregateError([new Error('one'), new Error('two')], 'all'),
      'all: one; two',
    ],
    [
      'one that repeats them',
      new AggregateError([new Error('one'), new Error('two')], 'one, two'),
      'one, two',
    ],
    ['one without a message', new AggregateError([new Error('one'), new Error('two')]), 'one; two'],
    ['texts and numbers', new AggregateError(['no', 7], 'all'), 'all: no; 7'],
    [
      'their codes and causes',
      new AggregateError(
        [new FinClawError('No disk', 'DISK', { cause: new FinClawError('full', 'FULL') }), new Error('two')],
        'all',
      ),
      'all: No disk (DISK) ← full (FULL); two',
    ],
    [
      'one behind another error',
      new FinClawError('No backup', 'BACKUP', {
        cause: new AggregateError([new FinClawError('no', 'X')], 'all'),
      }),
      'No backup (BACKUP) ← all: no (X)',
    ],
    [
      'one inside of another',
      new AggregateError([new AggregateError([new FinClawError('no', 'X')], 'some')], 'all'),
      'all: some: no (X)',
    ],
  ])('has all that is in an error of several: %s', (_what, error, said) => {
    const [first] = lineOf('failed', { error }).split('\n');
    expect(first).toBe(`pipeline: failed error="${said}"`);
  });

  it.each([
    { name: 'x', message: 5 },
    { name: 'x', message: 'y', errors: 7 },
    { name: 'x', message: 'y', stack: 7 },
  ])('takes data that only looks like an error for data: %j', (value) => {
    expect(lineOf('odd', { value })).toBe(`pipeline: odd value=${JSON.stringify(value)}\n`);
  });

  it('has colours only where they are wanted', () => {
    const coloured = setUp({ pretty: true, hasColour: true });
    coloured.logger.warn('careful');
    expect(coloured.lines.join('')).toContain('\u001B[33mWARN\u001B[0m');
    const plain = setUp({ pretty: true });
    plain.logger.warn('careful');
    expect(plain.lines.join('')).not.toContain('\u001B');
  });
});
