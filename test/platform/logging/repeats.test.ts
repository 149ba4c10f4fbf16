import { describe, expect, it } from 'vitest';
import { createLogger } from '#src/platform/logging/logger.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const setUp = () => {
  const clock = new ManualClock();
  const lines: string[] = [];
  const records: Record<string, unknown>[] = [];
  const logger = createLogger({
    level: 'debug',
    pretty: false,
    secrets: [],
    clock,
    write: (line) => {
      const record = JSON.parse(line) as Record<string, unknown>;
      records.push(record);
      lines.push(String(record['msg']));
    },
  });
  return { clock, logger, lines, records };
};

const times = (count: number, action: (index: number) => void): void =>
  Array.from({ length: count }, (_, index) => index).forEach(action);

const word = (index: number): string => String.fromCodePoint(0x4e00 + index);

describe('a line that repeats', () => {
  it('is written ten times, then counted, and the count is written after a minute', async () => {
    const { clock, logger, lines } = setUp();
    times(130, (index) => logger.warn(`Try ${index} failed`, { attempt: index }));
    expect(lines).toHaveLength(10);
    await clock.advance(59_999);
    expect(lines).toHaveLength(10);
    await clock.advance(1);
    expect(lines.slice(10)).toEqual(['Try 129 failed (repeated 120 times in the last minute)']);
    logger.warn('Try 131 failed');
    expect(lines.at(-1)).toBe('Try 131 failed');
  });

  it('is not mixed with another speaker, level, text or cause', () => {
    const { logger, lines } = setUp();
    times(10, () => {
      logger.warn('failed');
      logger.error('failed');
      logger.named('slack').warn('failed');
      logger.warn('failed differently');
      logger.warn('failed', { error: new Error('full disk') });
      logger.warn('failed', { error: new Error('outer', { cause: new Error('no network') }) });
      logger.warn('failed', { error: new Error('outer', { cause: new Error('no rights') }) });
      logger.warn('failed', { error: new AggregateError([new Error('no network')], 'all') });
      logger.warn('failed', { error: new AggregateError([new Error('no rights')], 'all') });
      logger.warn('failed', { name: 'get_quote' });
      logger.warn('failed', { name: 'get_news' });
      logger.warn('failed', { reason: 'no rights' });
    });
    expect(lines).toHaveLength(120);
  });

  it('names in the line for many only what all of them share', () => {
    const { logger, records } = setUp();
    times(30, (index) =>
      logger.warn('failed', { source: 'Upbit', symbol: word(index), host: 'a.b', list: [index] }),
    );
    logger.flush();
    expect(records.at(-1)).toMatchObject({ source: 'Upbit', host: 'a.b', repeated: 20 });
    for (const one of ['symbol', 'list']) expect(records.at(-1)).not.toHaveProperty(one);
  });

  it('is told of at the end, so that none is lost silently', () => {
    const { clock, logger, lines } = setUp();
    times(11, () => logger.error('down'));
    logger.flush();
    expect(lines.slice(10)).toEqual(['down (repeated once more in the last second)']);
    expect(clock.pendingTimers).toBe(0);
  });

  it('costs no timer while nothing is counted', () => {
    const { clock, logger } = setUp();
    times(10, () => logger.error('down'));
    expect(clock.pendingTimers).toBe(0);
  });

  it('is counted for each of very many kinds, and no count is lost', () => {
    const { logger, lines } = setUp();
    times(600, (kind) => times(12, () => logger.warn(word(kind))));
    logger.flush();
    expect(lines).toHaveLength(600 * 11);
  });

  it('is never an answer to a person, nor a line at debug', () => {
    const { logger, lines } = setUp();
    times(50, () => logger.named('pipeline').info('answered', { event: 'pipeline:complete' }));
    times(50, () => logger.debug('detail'));
    expect(lines).toHaveLength(100);
  });

  it('is never an error whose id a person was told: each id is in the log', () => {
    const { logger, lines } = setUp();
    times(50, (index) =>
      logger.named('pipeline').error('failed', { errorId: `e${index}`, error: 'No model' }),
    );
    expect(lines).toHaveLength(50);
  });
});
