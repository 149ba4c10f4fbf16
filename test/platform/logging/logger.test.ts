import { describe, expect, it } from 'vitest';
import { FinClawError } from '#src/kernel/errors.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { LogLine } from '#src/kernel/operations/log.ts';
import { createLogger, type LoggerOptions } from '#src/platform/logging/logger.ts';
import { everyRow } from '#test/support/every-row.ts';

const SECRET = 'correct-horse-battery';

const setUp = (options: Partial<LoggerOptions> = {}) => {
  const lines: string[] = [];
  const logger = createLogger({
    level: 'debug',
    pretty: false,
    secrets: [SECRET],
    write: (line) => lines.push(line),
    ...options,
  });
  const records = (): readonly Record<string, unknown>[] =>
    lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { logger, lines, records };
};

describe('createLogger', () => {
  it('writes one line of JSON for each call, with message, level, time and fields', () => {
    const { logger, lines, records } = setUp();
    logger.info('first');
    logger.warn('second\nwith "quotes" and 한글 100% %s', { sessionKey: 'agent:a', attempts: 2 });
    expect(lines.filter((line) => /^[^\n]+\n$/.test(line))).toHaveLength(2);
    expect(records()).toMatchObject([
      { msg: 'first', level: 'info', time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) },
      {
        msg: 'second\nwith "quotes" and 한글 100% %s',
        level: 'warn',
        sessionKey: 'agent:a',
        attempts: 2,
      },
    ]);
  });

  it.each([
    { level: 'debug', passes: ['debug', 'info', 'warn', 'error'] },
    { level: 'info', passes: ['info', 'warn', 'error'] },
    { level: 'warn', passes: ['warn', 'error'] },
    { level: 'error', passes: ['error'] },
  ] as const)('at level $level writes $passes', ({ level, passes }) => {
    const { logger, records } = setUp({ level });
    for (const method of ['debug', 'info', 'warn', 'error'] as const) logger[method](method);
    expect(records().map((record) => record['msg'])).toEqual(passes);
  });

  everyRow([
    'apiKey',
    'token',
    'password',
    'secret',
    'authorization',
    'cookie',
    'databaseUrl',
    'secretKey',
    'Authorization',
    'PASSWORD',
    'backupKey',
    'credentials',
  ])('masks what stands under the key %s, at any depth', (key) => {
    const { logger, lines, records } = setUp();
    logger.info('call', { [key]: 'top-value', nested: { list: [{ [key]: 'deep-value', kept: 'visible' }] } });
    expect(lines.join('')).not.toMatch(/top-value|deep-value/);
    expect(records()[0]).toMatchObject({
      [key]: '[***]',
      nested: { list: [{ [key]: '[***]', kept: 'visible' }] },
    });
  });

  it('does not mask counts of tokens', () => {
    const { logger, records } = setUp();
    logger.info('usage', { inputTokens: 12, maxOutputTokens: 34 });
    expect(records()[0]).toMatchObject({ inputTokens: 12, maxOutputTokens: 34 });
  });

  it('masks a known secret in the message and in any field', () => {
    const { logger, records } = setUp();
    logger.info(`using ${SECRET} now`, { url: `https://x/?k=${SECRET}&b=1`, list: [SECRET] });
    expect(records()[0]).toMatchObject({
      msg: 'using [***] now',
      url: 'https://x/?k=[***]&b=1',
      list: ['[***]'],
    });
  });

  it('masks what has the shape of a secret although nobody configured it', () => {
    const { logger, records } = setUp({ secrets: [] });
    logger.error('refused sk-ant-abcdefghij0123456789', { url: 'postgres://bot:pa55word@db/app' });
    expect(records()[0]).toMatchObject({
      msg: 'refused [***]',
      url: 'postgres://bot:[***]@db/app',
    });
  });

  it('writes an error with its code, its details and all its causes, secrets masked in each', () => {
    const { logger, lines, records } = setUp();
    const root = new Error(`root ${SECRET}`);
    const middle = new FinClawError(`middle ${SECRET}`, 'STORAGE_DOWN', {
      cause: root,
      details: { table: 'inbox', password: 'pw-in-details' },
    });
    logger.error('failed', { error: new Error(`outer ${SECRET}`, { cause: middle }) });
    expect(lines.join('')).not.toMatch(new RegExp(`${SECRET}|pw-in-details`));
    expect(records()[0]).toMatchObject({
      error: {
        name: 'Error',
        message: 'outer [***]',
        cause: {
          name: 'FinClawError',
          message: 'middle [***]',
          code: 'STORAGE_DOWN',
          details: { table: 'inbox', password: '[***]' },
          cause: { message: 'root [***]' },
        },
      },
    });
  });

  it('keeps a cause that is not an error', () => {
    const { logger, records } = setUp();
    logger.error('failed', { error: new Error('outer', { cause: { status: 429, token: 'cause-token' } }) });
    expect(records()[0]).toMatchObject({ error: { cause: { status: 429, token: '[***]' } } });
  });

  it.each([
    ['an instant', Temporal.Instant.from('2026-11-13T06:30:00Z'), '2026-11-13T06:30:00Z'],
    ['a duration', Temporal.Duration.from({ seconds: 90 }), 'PT90S'],
    ['a decimal', new Decimal('3097.45'), '3097.45'],
    ['a bigint', 12_345_678_901_234_567_890n, '12345678901234567890'],
    ['null', null, null],
    ['false', false, false],
  ])('writes %s as what it says, also nested', (_what, value, written) => {
    const { logger, records } = setUp();
    logger.info('value', { value, nested: { list: [value] } });
    expect(records()[0]).toMatchObject({ value: written, nested: { list: [written] } });
  });

  it('masks secret keys in what a toJSON returns', () => {
    const { logger, records } = setUp();
    logger.info('value', { value: { toJSON: () => ({ password: 'from-to-json', kept: 1 }) } });
    expect(records()[0]).toMatchObject({ value: { password: '[***]', kept: 1 } });
  });

  it('survives a circular object and an error that is its own cause', () => {
    const { logger, records } = setUp();
    const circle: Record<string, unknown> = { name: 'circle' };
    circle['self'] = circle;
    const error = new Error('loop');
    error.cause = error;
    logger.info('circular', { circle, error });
    expect(records()[0]).toMatchObject({ circle: { name: 'circle' }, error: { message: 'loop' } });
  });

  it('stays JSON, field by field, when an address without a password comes before an @', () => {
    const { logger, records } = setUp();
    const fields = { cache: { url: 'redis://cache:6379' }, mail: 'a@b.com' };
    logger.info('start', fields);
    expect(records()[0]).toMatchObject(fields);
  });

  it('masks a secret with a quote or a backslash, which JSON would write otherwise', () => {
    const secret = 'pass"word\\1';
    const { logger, records } = setUp({ secrets: [secret] });
    logger.info(`using ${secret}`, { nested: [secret] });
    expect(records()[0]).toMatchObject({ msg: 'using [***]', nested: ['[***]'] });
  });

  it.each(['DISCORD_TOKEN', 'accessToken', 'x-api-key', 'DATABASE_URL'])(
    'masks a field whose name ends like that of a secret: %s',
    (name) => {
      const { logger, records } = setUp();
      logger.info('value', { [name]: 'abc123' });
      expect(records()[0]).toMatchObject({ [name]: '[***]' });
    },
  );

  it('keeps the errors inside an aggregate error', () => {
    const { logger, records } = setUp();
    logger.error('failed', { error: new AggregateError([new Error('connect ECONNREFUSED')], '') });
    expect(records()[0]).toMatchObject({ error: { errors: [{ message: 'connect ECONNREFUSED' }] } });
  });

  it('writes the line also when a toJSON throws', () => {
    const { logger, records } = setUp();
    const value = {
      toJSON: () => {
        throw new Error('no JSON here');
      },
    };
    logger.info('value', { value, kept: 1 });
    expect(records()[0]).toMatchObject({
      msg: 'value',
      value: '[not printable: no JSON here]',
      kept: 1,
    });
  });

  it.each([true, false])('writes the line also with values that have no text, pretty: %s', (pretty) => {
    const seen: LogLine[] = [];
    const { logger, lines } = setUp({ pretty, onLine: (line) => seen.push(line) });
    const error = Object.defineProperty(new Error('x'), 'message', {
      get: () => {
        throw new Error(`unreadable ${SECRET}`);
      },
    });
    logger.warn('odd', { call: () => undefined, sign: Symbol('s'), error, kept: 1 });
    expect(lines.join('')).toMatch(
      /odd.*\[function\].*\[symbol\].*\[not printable: unreadable \[\*{3}\]\].*kept/,
    );
    expect(seen).toHaveLength(1);
  });

  it.each([
    ['a known one, parted by codes for a terminal', `${SECRET.slice(0, 7)}\u001B[31m${SECRET.slice(7)}`],
    ['one by its shape, parted by codes', 'sk-ant-\u001B[1mapi03-\u001B[0mhorse-battery-0123456789'],
    ['one in the query of an address', 'GET https://x.example/a?b=1&api_key=horse-battery failed'],
    ['one in a header', 'sent authorization: Basic aG9yc2UtYmF0dGVyeQ== and X-Api-Key: horse-battery'],
    ['one in JSON', 'the server said {"access_token":"horse-battery","b":1}'],
    ['one in Korean text', `키는${SECRET}이고 토큰은sk-ant-api03-horsebattery0123456789예요`],
  ])('masks %s', (_which, text) => {
    for (const pretty of [true, false]) {
      const { logger, lines } = setUp({ pretty });
      logger.warn(text, { text, error: new FinClawError(text, 'X', { cause: new Error(text) }) });
      expect(lines.join('')).toContain('[***]');
      expect(lines.join('')).not.toMatch(/horse|battery|aG9yc2U/);
    }
  });

  it('cuts a text that is longer than anybody reads', () => {
    const { logger, lines, records } = setUp();
    logger.error('failed', { error: new Error(`${'x'.repeat(100_000)}${SECRET}`) });
    expect(lines.join('').length).toBeLessThan(20_000);
    expect(records()[0]).toMatchObject({
      error: { message: expect.stringMatching(/x… \(\d+ more characters\)$/) },
    });
  });

  it('does not change the objects it was given', () => {
    const { logger } = setUp();
    const fields = { token: 'still-here', nested: { password: 'also-here' } };
    logger.info('call', fields);
    expect(fields).toEqual({ token: 'still-here', nested: { password: 'also-here' } });
  });

  it('writes readable lines with the same masking when pretty', () => {
    const { logger, lines } = setUp({ pretty: true, level: 'info' });
    logger.debug('not written');
    logger.warn(`careful ${SECRET}`, {
      token: 'pretty-token',
      error: new Error(`broken ${SECRET}`),
      at: Temporal.Instant.from('2026-11-13T06:30:00Z'),
    });
    const text = lines.join('');
    expect(text).toMatch(/^\d\d:\d\d:\d\d WARN careful \[\*\*\*\] token=\[\*\*\*\] error="broken /);
    expect(text).toContain('broken [***]');
    expect(text).toContain('2026-11-13T06:30:00Z');
    expect(text).not.toMatch(new RegExp(`not written|pretty-token|${SECRET}`));
    expect(text.endsWith('\n')).toBe(true);
  });
});

describe('hide', () => {
  const LATER = 'a key typed at noon';

  it('masks a secret that came up later, from then on, in messages and fields', () => {
    const { logger, lines, records } = setUp();
    logger.info(`before ${LATER}`);
    logger.hide(LATER);
    logger.info(`after ${LATER} and ${SECRET}`, {
      note: `it is ${LATER}!`,
      nested: { list: [{ text: LATER }] },
      error: new Error(`refused ${LATER}`, { cause: new Error(LATER) }),
    });
    expect(records()[0]).toMatchObject({ msg: `before ${LATER}` });
    expect(lines[1]).not.toContain(LATER);
    expect(records()[1]).toMatchObject({
      msg: 'after [***] and [***]',
      note: 'it is [***]!',
      nested: { list: [{ text: '[***]' }] },
      error: { message: 'refused [***]', cause: { message: '[***]' } },
    });
  });

  it.each([
    ['begins with', `${SECRET}-extended`],
    ['ends with', `extended-${SECRET}`],
    ['has in the middle', `some-${SECRET}-more`],
  ])('masks a later one whole that %s an earlier one, and the earlier one by itself', (_how, longer) => {
    const { logger, records } = setUp();
    logger.hide(longer);
    logger.info(`${longer}, ${SECRET}`, { both: [longer, SECRET] });
    expect(records()[0]).toMatchObject({ msg: '[***], [***]', both: ['[***]', '[***]'] });
  });

  it('masks one whole also when a part of it came up later still', () => {
    const { logger, records } = setUp({ secrets: [] });
    for (const secret of ['part of it: one', 'part of it', 'part of it: one, two']) logger.hide(secret);
    logger.info('part of it: one, two; part of it: one; part of it');
    expect(records()[0]).toMatchObject({ msg: '[***]; [***]; [***]' });
  });

  it('masks each of many, told once or again and again', () => {
    const { logger, records } = setUp();
    const secrets = Array.from({ length: 200 }, (_, index) => `<secret ${index}>`);
    for (const secret of [...secrets, ...secrets]) logger.hide(secret);
    logger.info(secrets.join(''));
    expect(records()[0]).toMatchObject({ msg: '[***]'.repeat(200) });
  });

  it('reaches readable lines and everybody who holds the same logger', () => {
    const { logger, lines } = setUp({ pretty: true });
    const { warn, hide } = logger;
    hide(LATER);
    warn(`careful with ${LATER}`, { text: LATER });
    expect(lines.join('')).toContain('careful with [***]');
    expect(lines.join('')).not.toContain(LATER);
  });

  it('does not mask ordinary words because somebody hid nothing, or next to nothing', () => {
    const { logger, records } = setUp();
    for (const secret of ['', ' ', 'a', 'price']) logger.hide(secret);
    logger.info('a price of a share');
    expect(records()[0]).toMatchObject({ msg: 'a price of a share' });
  });
});

describe('JSON lines', () => {
  it('hold the time, the level, the speaker and the text, and nothing about the machine', () => {
    const { logger, records } = setUp();
    logger.named('market').warn('down', { level: 'field', host: 'x' });
    expect(Object.keys(records()[0] ?? {})).toEqual(['time', 'level', 'logger', 'msg', 'level_', 'host']);
    expect(records()[0]).toMatchObject({ level: 'warn', logger: 'market', msg: 'down', level_: 'field' });
  });
});

describe('onLine', () => {
  it('gets every written line masked and on one line, and none below the level', () => {
    const seen: LogLine[] = [];
    const { logger } = setUp({ level: 'info', onLine: (line) => seen.push(line) });
    logger.debug('unseen');
    logger.named('keys').warn(`refused ${SECRET}\nreally`, { attempt: 2 });
    expect(seen).toMatchObject([
      { level: 'warn', logger: 'keys', text: 'keys: refused [***]\\nreally attempt=2' },
    ]);
    expect(seen[0]?.at).toBeInstanceOf(Temporal.Instant);
  });
});
