import { describe, expect, it } from 'vitest';
import { createLogger } from '#src/platform/logging/logger.ts';

const SECRET = 'correct-horse-battery';

const written = (fields: Readonly<Record<string, unknown>>, pretty = false): string => {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  createLogger({ level: 'debug', pretty, secrets: [SECRET], write }).warn('said', fields);
  return lines.join('');
};

describe('the name of a field', () => {
  const error = new Error('failed', { cause: { [SECRET]: 1 } });
  const details = Object.assign(new Error('failed'), { details: { [SECRET]: 1 } });

  it.each([
    ['at the top', { [SECRET]: 1 }],
    ['deeper', { nested: { list: [{ [`?k=${SECRET}&b`]: 1 }] } }],
    ['in a cause', { error }],
    ['in the details of an error', { error: details }],
    ['in what a toJSON returns', { value: { toJSON: () => ({ [SECRET]: 1 }) } }],
    ['with a secret as its value', { [SECRET]: SECRET }],
    ['that looks like a key', { 'sk-ant-abcdefghij0123456789': 1 }],
  ])('is masked where it holds a secret: %s', (_where, fields) => {
    expect(written(fields)).toContain('[***]');
    for (const pretty of [true, false])
      expect(written(fields, pretty)).not.toMatch(/correct-horse|abcdefghij/);
  });

  it('still masks what stands under the name of a secret, and rounds durations', () => {
    const fields = { [`${SECRET}.token`]: 'open', [`${SECRET}Ms`]: 1.5 };
    expect(JSON.parse(written(fields))).toMatchObject({ '[***].token': '[***]', '[***]Ms': 2 });
  });

  it('does not lose a value where two names are masked', () => {
    const text = written({ 'sk-ant-abcdefghij0123456789': 'one', 'sk-ant-zyxwvutsrq9876543210': 'two' });
    expect(text).toMatch(/one.*two/);
  });
});
