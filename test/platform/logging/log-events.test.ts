import { describe, expect, it } from 'vitest';
import { createEvents } from '#src/platform/events.ts';
import type { LogLevel } from '#src/kernel/operations/log.ts';
import { createLogger } from '#src/platform/logging/logger.ts';
import { logEvents } from '#src/platform/logging/log-events.ts';

const MESSAGE = { sessionKey: 's', inboxId: 'i1', channelId: 'slack', chatType: 'direct' };

const emitAll = (level: LogLevel) => {
  const lines: string[] = [];
  const logger = createLogger({ level, pretty: false, secrets: [], write: (line) => lines.push(line) });
  const events = createEvents((error) => {
    throw error;
  });
  logEvents(events, logger);
  const end = { ...MESSAGE, durationMs: 3.2, stages: ['normalize'], tools: 1 };
  events.emit('pipeline:complete', {
    ...end,
    success: true,
    outcome: 'answered',
    reason: 'command price',
    command: 'price',
  });
  events.emit('pipeline:error', { ...MESSAGE, errorId: 'e1', error: new Error('boom') });
  events.emit('pipeline:complete', { ...end, success: false, outcome: 'failed', errorId: 'e1' });
  events.emit('pipeline:complete', { ...end, success: true, outcome: 'skipped', reason: 'silent reply' });
  events.emit('delivery:failed', { deliveryId: 'd1', channelId: 'slack', error: new Error('gone') });
  events.emit('tool:execute:error', {
    name: 'get_quote',
    sessionKey: 's',
    inboxId: 'i1',
    durationMs: 3,
    error: 'bad',
  });
  events.emit('inbox:recover', { count: 2 });
  events.emit('inbox:accept', MESSAGE);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
};

describe('logEvents', () => {
  it('says who speaks, how serious it is, and what happened', () => {
    expect(emitAll('debug').map(({ logger, level, msg }) => [logger, level, msg])).toEqual([
      ['pipeline', 'info', 'answered'],
      ['pipeline', 'error', 'failed'],
      ['pipeline', 'debug', 'failed'],
      ['pipeline', 'info', 'skipped'],
      ['delivery', 'error', 'An answer could not be delivered'],
      ['tools', 'warn', 'A tool failed'],
      ['intake', 'info', 'Resuming unfinished messages'],
      ['intake', 'debug', 'inbox:accept'],
    ]);
  });

  it('writes one line for an answer, with the command or the reason, without the chat and its people', () => {
    const [answered, failed, , skipped] = emitAll('debug');
    expect(answered).toEqual({
      time: expect.any(String),
      level: 'info',
      logger: 'pipeline',
      msg: 'answered',
      event: 'pipeline:complete',
      inboxId: 'i1',
      channelId: 'slack',
      chatType: 'direct',
      durationMs: 3,
      tools: 1,
      command: 'price',
    });
    expect(failed).toMatchObject({ errorId: 'e1', error: { message: 'boom' } });
    expect(skipped).toMatchObject({ reason: 'silent reply' });
  });

  it('is quiet about ordinary work at the usual level, and writes a failure once', () => {
    const usual = emitAll('info');
    expect(usual.filter(({ msg }) => msg === 'inbox:accept')).toEqual([]);
    expect(usual.filter(({ msg }) => msg === 'failed')).toHaveLength(1);
  });
});
