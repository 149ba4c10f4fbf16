import { describe, expect, it } from 'vitest';
import { FinClawError } from '#src/kernel/errors.ts';
import { Decimal } from '#src/kernel/money.ts';
import { createEvents } from '#src/platform/events.ts';
import { createLogger, logEvents, type LoggerOptions } from '#src/platform/logger.ts';
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
      { message: 'first', level: 'INFO', time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) },
      {
        message: 'second\nwith "quotes" and 한글 100% %s',
        level: 'WARN',
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
    expect(records().map((record) => record['message'])).toEqual(passes);
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
      message: 'using [***] now',
      url: 'https://x/?k=[***]&b=1',
      list: ['[***]'],
    });
  });

  it('masks what has the shape of a secret although nobody configured it', () => {
    const { logger, records } = setUp({ secrets: [] });
    logger.error('refused sk-ant-abcdefghij0123456789', { url: 'postgres://bot:pa55word@db/app' });
    expect(records()[0]).toMatchObject({
      message: 'refused [***]',
      url: 'postgres://bot:[***]@db/app',
    });
  });

  it('writes an error with its stack, its own fields and all its causes, secrets masked in each', () => {
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
        stack: expect.stringContaining('logger.test.ts'),
        cause: {
          name: 'FinClawError',
          message: 'middle [***]',
          code: 'STORAGE_DOWN',
          statusCode: 500,
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
    expect(records()[0]).toMatchObject({ message: 'using [***]', nested: ['[***]'] });
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
      message: 'value',
      value: '[not printable: no JSON here]',
      kept: 1,
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
    logger.debug('unseen');
    logger.warn(`careful ${SECRET}`, {
      token: 'pretty-token',
      error: new Error(`broken ${SECRET}`),
      at: Temporal.Instant.from('2026-11-13T06:30:00Z'),
    });
    const text = lines.join('');
    expect(text).toMatch(/^\d\d:\d\d:\d\d WARN careful \[\*\*\*\]/);
    expect(text).toContain('broken [***]');
    expect(text).toContain('2026-11-13T06:30:00Z');
    expect(text).not.toMatch(new RegExp(`unseen|pretty-token|${SECRET}`));
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
    expect(records()[0]).toMatchObject({ message: `before ${LATER}` });
    expect(lines[1]).not.toContain(LATER);
    expect(records()[1]).toMatchObject({
      message: 'after [***] and [***]',
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
    expect(records()[0]).toMatchObject({ message: '[***], [***]', both: ['[***]', '[***]'] });
  });

  it('masks one whole also when a part of it came up later still', () => {
    const { logger, records } = setUp({ secrets: [] });
    for (const secret of ['part of it: one', 'part of it', 'part of it: one, two']) logger.hide(secret);
    logger.info('part of it: one, two; part of it: one; part of it');
    expect(records()[0]).toMatchObject({ message: '[***]; [***]; [***]' });
  });

  it('masks each of many, told once or again and again', () => {
    const { logger, records } = setUp();
    const secrets = Array.from({ length: 200 }, (_, index) => `<secret ${index}>`);
    for (const secret of [...secrets, ...secrets]) logger.hide(secret);
    logger.info(secrets.join(''));
    expect(records()[0]).toMatchObject({ message: '[***]'.repeat(200) });
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
    expect(records()[0]).toMatchObject({ message: 'a price of a share' });
  });
});

const emitAll = (level: LoggerOptions['level']) => {
  const { logger, records } = setUp({ level });
  const events = createEvents((error) => {
    throw error;
  });
  logEvents(events, logger);
  events.emit('pipeline:error', { sessionKey: 's', errorId: 'e1', error: new Error('boom') });
  events.emit('delivery:failed', { deliveryId: 'd1', channelId: 'slack', error: new Error('gone') });
  events.emit('tool:execute:error', { name: 'get_quote', sessionKey: 's', durationMs: 3, error: 'bad' });
  events.emit('tool:execute:timeout', { name: 'get_quote', sessionKey: 's', timeoutMs: 5 });
  events.emit('tool:circuit:change', { name: 'get_quote', from: 'closed', to: 'open' });
  events.emit('inbox:recover', { count: 2 });
  events.emit('inbox:accept', { inboxId: 'i1', sessionKey: 's', channelId: 'slack' });
  return records();
};

describe('logEvents', () => {
  it('logs failures as errors, troubles as warnings, and the rest at debug', () => {
    expect(emitAll('debug').map((record) => [record['message'], record['level']])).toEqual([
      ['pipeline:error', 'ERROR'],
      ['delivery:failed', 'ERROR'],
      ['tool:execute:error', 'WARN'],
      ['tool:execute:timeout', 'WARN'],
      ['tool:circuit:change', 'WARN'],
      ['inbox:recover', 'INFO'],
      ['inbox:accept', 'DEBUG'],
    ]);
  });

  it('writes the payload as fields, errors in full', () => {
    const records = emitAll('debug');
    expect(records[0]).toMatchObject({ sessionKey: 's', errorId: 'e1', error: { message: 'boom' } });
    expect(records[6]).toMatchObject({ inboxId: 'i1', sessionKey: 's', channelId: 'slack' });
  });

  it('is quiet about ordinary work at the usual level', () => {
    expect(emitAll('info').map((record) => record['message'])).not.toContain('inbox:accept');
  });
});
