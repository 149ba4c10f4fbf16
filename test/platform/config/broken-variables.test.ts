import { describe, expect, it } from 'vitest';
import { everyRow } from '#test/support/every-row.ts';
import { load } from './support.ts';

const errorOf = (env: NodeJS.ProcessEnv): unknown => {
  try {
    load({}, env);
  } catch (error) {
    return error;
  }
  return 'no error';
};

describe('loadConfig on broken variables', () => {
  everyRow([
    ['FINCLAW_HTTP_PORT', 'eighty', 'must be a port number'],
    ['FINCLAW_HTTP_PORT', '0', 'must be a port number'],
    ['FINCLAW_HTTP_PORT', '65536', 'must be a port number'],
    ['FINCLAW_HTTP_PORT', '-1', 'must be a port number'],
    ['FINCLAW_HTTP_PORT', '80.5', 'must be a port number'],
    ['FINCLAW_LOCALE', 'french', '"auto"|"ko"|"en"'],
    ['FINCLAW_QUEUE_MODE', 'fifo', '"queue"|"followup"|"collect"|"steer"|"steer-backlog"|"interrupt"'],
    ['FINCLAW_RATE_LIMIT', 'many', 'must be a whole number of messages a minute, such as 20; 0 for no limit'],
    ['FINCLAW_RATE_LIMIT', '-1', 'must be a whole number of messages a minute'],
    ['FINCLAW_RATE_LIMIT', '1.5', 'must be a whole number of messages a minute'],
    ['FINCLAW_RATE_LIMIT', '10001', 'must be 10000 at most; 0 for no limit'],
    ['FINCLAW_LOG_LEVEL', 'shouting', '"debug"|"info"|"warn"|"error"'],
    [
      'DATABASE_URL',
      'mysql://bot:hunter22@db/app',
      'must look like postgres://user:password@host:5432/database',
    ],
    ['DATABASE_URL', 'hunter22', 'must look like postgres://user:password@host:5432/database'],
    ['DATABASE_URL', 'postgres://bot:hun#ter22@db/app', 'in a password, write %23 for #'],
    ['DATABASE_URL', 'postgres://', 'must look like postgres://user:password@host:5432/database'],
  ])('names %s set to %s and what it must be', (name, value, advice) => {
    const error = errorOf({ [name]: value });
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', isOperational: true });
    const [first, ...problems] = String(error).split('\n');
    expect(first).toContain('The environment is not valid');
    expect(problems).toEqual([expect.stringContaining(`  ${name}: `)]);
    expect(problems[0]).toContain(advice);
  });

  it.each(['mysql://bot:hunter22@db/app', 'hunter22'])('never repeats the database address %s', (value) => {
    expect(String(errorOf({ DATABASE_URL: value }))).not.toContain('hunter22');
  });
});
