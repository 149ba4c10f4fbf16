import { expect, it } from 'vitest';
import { z } from 'zod';
import { detectLocale } from '#src/core/i18n.ts';
import { Decimal, formatFinancialNumber } from '#src/core/money.ts';
import { defineTool } from '#src/core/tool.ts';
import { CircuitBreaker } from '#src/infra/circuit-breaker.ts';
import { createLogger } from '#src/infra/logger.ts';
import { createSecretMask } from '#src/infra/mask-secrets.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const logged = (
  secrets: readonly string[],
  message: string,
  fields: Readonly<Record<string, unknown>>,
): string => {
  const lines: string[] = [];
  createLogger({ level: 'debug', pretty: false, secrets, write: (line) => lines.push(line) }).info(
    message,
    fields,
  );
  return lines.join('');
};
const reject = (error: Error) => async (): Promise<never> => {
  throw error;
};
const run = async () => ({ content: '', isError: false });

it('B1 an address without a password and a later @ keep their own fields and the line stays JSON', () => {
  const line = logged([], 'start', { cache: { url: 'redis://cache:6379' }, mail: 'a@b.com' });
  expect(JSON.parse(line)).toMatchObject({ cache: { url: 'redis://cache:6379' }, mail: 'a@b.com' });
});
it('B2 a known secret with a quote or a backslash is masked in JSON lines too', () => {
  const line = logged(['pass"word\\1'], 'using pass"word\\1', {});
  expect(JSON.parse(line)).toMatchObject({ message: 'using [***]' });
});
it('B3 a secret that begins with another secret is masked whole', () => {
  expect(createSecretMask(['abcdef', 'abcdef123456'])('key abcdef123456')).toBe('key [***]');
});
it('B4 a field with a default is not required of the model', () => {
  const { definition } = defineTool({
    name: 'a',
    description: '',
    group: 'custom',
    run,
    input: z.object({ symbol: z.string(), limit: z.number().default(3) }),
  });
  expect(definition.inputSchema).toMatchObject({ required: ['symbol'] });
});
it('B4b a schema with a transform can be described', () => {
  const make = () =>
    defineTool({
      name: 'a',
      description: '',
      group: 'custom',
      run,
      input: z.object({ s: z.string().transform((s) => s.toUpperCase()) }),
    });
  expect(make).not.toThrow();
});
it('B5 a breaker closed by a probe that ended in our own error counts from zero', async () => {
  const clock = new ManualClock();
  const breaker = new CircuitBreaker({
    name: 'x',
    clock,
    isFailure: (error) => !(error instanceof TypeError),
  });
  for (let i = 0; i < 5; i += 1) await expect(breaker.run(reject(new Error('theirs')))).rejects.toThrow();
  await clock.advance(30_000);
  await expect(breaker.run(reject(new TypeError('ours')))).rejects.toThrow('ours');
  expect(breaker.state).toBe('closed');
  await expect(breaker.run(reject(new Error('theirs')))).rejects.toThrow('theirs');
  expect(breaker.state).toBe('closed');
});
it('B6 a slow call from before the opening does not close the breaker', async () => {
  const clock = new ManualClock();
  const breaker = new CircuitBreaker({ name: 'x', clock });
  const slow = Promise.withResolvers<string>();
  const early = breaker.run(() => slow.promise);
  for (let i = 0; i < 5; i += 1) await expect(breaker.run(reject(new Error('theirs')))).rejects.toThrow();
  slow.resolve('late');
  await early;
  expect(breaker.state).toBe('open');
});
it('B6b a late failure from before the opening does not prolong it', async () => {
  const clock = new ManualClock();
  const breaker = new CircuitBreaker({ name: 'x', clock });
  const slow = Promise.withResolvers<string>();
  const early = expect(breaker.run(() => slow.promise)).rejects.toThrow('late');
  for (let i = 0; i < 5; i += 1) await expect(breaker.run(reject(new Error('theirs')))).rejects.toThrow();
  await clock.advance(29_000);
  slow.reject(new Error('late'));
  await early;
  await clock.advance(1_000);
  expect(breaker.state).toBe('half-open');
});
it('B7 a coin code of four letters stays visible', () => {
  expect(formatFinancialNumber(new Decimal('1'), { locale: 'en', currency: 'USDT' })).toContain('USDT');
});
it('B7b currencies that share a sign can be told apart', () => {
  const show = (currency: string) => formatFinancialNumber(new Decimal('1'), { locale: 'en', currency });
  expect(show('HKD')).not.toBe(show('USD'));
  expect(show('JPY')).not.toBe(show('CNY'));
});
it('B8 a loss that rounds to nothing has no minus', () => {
  expect(formatFinancialNumber(new Decimal('-0.001'), { locale: 'en', currency: 'USD' })).toBe('$0');
});
it('B9 an aggregate error keeps its errors', () => {
  expect(logged([], 'x', { error: new AggregateError([new Error('connect ECONNREFUSED')], '') })).toContain(
    'ECONNREFUSED',
  );
});
it('B10 two bare tickers say nothing about the language', () => {
  expect(detectLocale('AAPL TSLA', 'ko', 'auto')).toBe('ko');
});
it('B11 env-style key names are masked', () => {
  expect(
    logged([], 'x', { DISCORD_TOKEN: 'abc123', accessToken: 'abc123', 'x-api-key': 'abc123' }),
  ).not.toContain('abc123');
});
it('B12 a toJSON that throws does not throw out of the logger', () => {
  expect(() =>
    logged([], 'x', {
      v: {
        toJSON: () => {
          throw new Error('no');
        },
      },
    }),
  ).not.toThrow();
});
