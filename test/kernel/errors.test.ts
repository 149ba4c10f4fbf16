import { createConnection } from 'node:net';
import { describe, expect, it } from 'vitest';
import { errorMessage, FinClawError, RunAbortedError } from '#src/kernel/errors.ts';

describe('FinClawError', () => {
  it('is an operational server error unless told otherwise', () => {
    const error = new FinClawError('no price', 'QUOTE_MISSING');
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'FinClawError',
      message: 'no price',
      code: 'QUOTE_MISSING',
      statusCode: 500,
      isOperational: true,
      details: {},
    });
  });

  it('keeps what it was given', () => {
    const cause = new Error('socket closed');
    const error = new FinClawError('x', 'X', {
      statusCode: 404,
      isOperational: false,
      cause,
      details: { symbol: 'AAPL' },
    });
    expect(error).toMatchObject({ statusCode: 404, isOperational: false, details: { symbol: 'AAPL' } });
    expect(error.cause).toBe(cause);
  });

  it('has no cause at all when none was given', () => {
    expect(Object.hasOwn(new FinClawError('x', 'X'), 'cause')).toBe(false);
    expect(Object.hasOwn(new FinClawError('x', 'X', { cause: null }), 'cause')).toBe(true);
  });
});

describe('RunAbortedError', () => {
  it.each(['stopped', 'shutdown', 'timeout'] as const)('tells by its kind that a run was %s', (kind) => {
    const error = new RunAbortedError(kind);
    expect(error).toBeInstanceOf(FinClawError);
    expect(error).toMatchObject({ name: 'RunAbortedError', code: 'RUN_ABORTED', kind, isOperational: true });
    expect(error.message).toContain(kind);
  });
});

describe('errorMessage', () => {
  it.each([
    ['an error', new Error('boom'), 'boom'],
    ['an error of ours', new FinClawError('ours', 'X'), 'ours'],
    ['a string', 'plain', 'plain'],
    ['nothing', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a number', 42, '42'],
  ])('says what %s says', (_what, thrown, message) => {
    expect(errorMessage(thrown)).toBe(message);
  });

  it('says what each of several errors says when they say nothing together', () => {
    const errors = [new Error('connect ECONNREFUSED ::1'), new AggregateError([new Error('and inside')])];
    expect(errorMessage(new AggregateError(errors))).toBe('connect ECONNREFUSED ::1; and inside');
    expect(errorMessage(new AggregateError(errors, 'all failed'))).toBe('all failed');
  });

  it('says why nobody answers on any address of a host', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
    createConnection({
      host: 'two-addresses',
      port: 1,
      autoSelectFamily: true,
      lookup: (_host, _options, found) => found(null, addresses),
    }).once('error', resolve);
    expect(errorMessage(await promise)).toContain(
      'ECONNREFUSED 127.0.0.1:1; connect ECONNREFUSED 127.0.0.2:1',
    );
  });
});
