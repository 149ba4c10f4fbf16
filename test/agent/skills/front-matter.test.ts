import { describe, expect, it } from 'vitest';
import { parseFrontMatter } from '#src/agent/skills/skill-manager.ts';

const fieldsOf = (...lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(parseFrontMatter(['---', ...lines, '---', 'body'].join('\n'))?.fields ?? []);

describe('parseFrontMatter', () => {
  it('tells the fields from the document', () => {
    const parsed = parseFrontMatter('---\nname: a\n---\n\n# Title\n\n---\n\nEnd\n');
    expect(parsed?.fields.get('name')).toBe('a');
    expect(parsed?.body).toBe('# Title\n\n---\n\nEnd');
  });

  it('reads a file that was written on Windows', () => {
    const parsed = parseFrontMatter('\ufeff---\r\nname: a\r\ndescription: b c\r\n---\r\nOne\r\nTwo\r\n');
    expect([...(parsed?.fields ?? [])]).toEqual([
      ['name', 'a'],
      ['description', 'b c'],
    ]);
    expect(parsed?.body).toBe('One\nTwo');
  });

  it.each([
    ['plain, with a colon', 'a: one: two', 'one: two'],
    ['in double quotes', String.raw`a: "say \"yes\" \\ no: #1"`, String.raw`say "yes" \ no: #1`],
    ['in single quotes', "a: 'it''s: fine'", "it's: fine"],
    ['quoted only in the middle', 'a: the "one" here', 'the "one" here'],
    ['Korean', 'a: 종목 브리핑 — "삼성전자 어때?"', '종목 브리핑 — "삼성전자 어때?"'],
    ['empty', 'a:', ''],
  ])('reads a value %s', (_kind, line, value) => {
    expect(fieldsOf(line)).toEqual({ a: value });
  });

  it.each(['>', '>-', '|', '|+'])('joins the lines below a %s', (sign) => {
    expect(fieldsOf(`a: ${sign}`, '  one', '  two: three', 'b: four')).toEqual({
      a: 'one two: three',
      b: 'four',
    });
  });

  it('joins a value, quoted or not, that goes on below', () => {
    expect(fieldsOf('a: "one', '  two"', 'b: one', '\ttwo')).toEqual({ a: 'one two', b: 'one two' });
  });

  it('passes over comments and over what belongs to other programs', () => {
    expect(fieldsOf('# name: no', 'name: a', '__proto__: x', 'list:', '- one', 'license: MIT')).toEqual({
      name: 'a',
      list: '',
      license: 'MIT',
    });
  });

  it.each([
    ['', 'nothing'],
    ['# Title', 'no block'],
    ['---\nname: a\n', 'no end'],
    ['\n---\nname: a\n---\n', 'something before it'],
    ['----\nname: a\n----\n', 'another rule'],
  ])('knows %j as a document without it', (document) => {
    expect(parseFrontMatter(document)).toBeUndefined();
  });
});
