import { describe, expect, it } from 'vitest';
import { normalizeText } from '#src/pipeline/normalize-text.ts';

describe('normalizeText', () => {
  it.each([
    { form: 'Discord', text: '<@123> price of Apple', id: '123' },
    { form: 'Discord, by nickname', text: '<@!123> price of Apple', id: '123' },
    { form: 'Slack', text: '<@U0AB12> price of Apple', id: 'U0AB12' },
    { form: 'Slack, with the name', text: '<@U0AB12|fin claw> price of Apple', id: 'U0AB12' },
  ])('takes out a mention as written by $form and keeps its id', ({ text, id }) => {
    const { body, normalizedBody, mentions } = normalizeText(text);
    expect(mentions).toEqual([id]);
    expect(normalizedBody).toBe('price of Apple');
    expect(body).toBe('price of Apple');
  });

  it('keeps every mention in the order written, wherever it stands', () => {
    const { normalizedBody, mentions } = normalizeText('<@1> ask <@U2|mina> and <@!3>');
    expect(mentions).toEqual(['1', 'U2', '3']);
    expect(normalizedBody).toBe('ask and');
  });

  it.each([
    'PER <15 and ROE> 20',
    'a < b && c > d',
    '<https://example.com>',
    '<@>',
    '<#C1|general>',
    '@mina',
  ])('leaves %j as it is: it is no mention', (text) => {
    const { normalizedBody, mentions } = normalizeText(text);
    expect(normalizedBody).toBe(text);
    expect(mentions).toEqual([]);
  });

  it.each([
    ['see https://example.com/a.', 'https://example.com/a'],
    ['really, https://example.com/a?!', 'https://example.com/a'],
    ['(https://example.com/a)', 'https://example.com/a'],
    ['"https://example.com/a", he said', 'https://example.com/a'],
    ['[link](https://example.com/a);', 'https://example.com/a'],
    ['<https://example.com/a>', 'https://example.com/a'],
    ['http://example.com/?q=1&r=2#top', 'http://example.com/?q=1&r=2#top'],
    ['https://example.com/v1.2/x', 'https://example.com/v1.2/x'],
    ['<https://example.com/a|example>', 'https://example.com/a'],
    ['https://ko.wikipedia.org/wiki/Apple_(company)', 'https://ko.wikipedia.org/wiki/Apple_(company)'],
    ['(see https://example.com/a_(b)).', 'https://example.com/a_(b)'],
    ['((https://example.com/a)))', 'https://example.com/a'],
  ])('finds in %j the address without the punctuation behind it', (text, url) => {
    const { urls, body } = normalizeText(text);
    expect(urls).toEqual([url]);
    expect(body).toBe(text);
  });

  it('is not brought down by an address that ends in a thousand brackets', () => {
    expect(normalizeText(`https://example.com/a${')'.repeat(20_000)}`).urls).toEqual([
      'https://example.com/a',
    ]);
    expect(normalizeText(`https://example.com/${'('.repeat(9_000)}${')'.repeat(9_000)}`).urls).toHaveLength(
      1,
    );
  });

  it('finds every address, also over lines, and none where there is none', () => {
    expect(normalizeText('https://a.example\nhttps://b.example/x and ftp://c.example').urls).toEqual([
      'https://a.example',
      'https://b.example/x',
    ]);
    expect(normalizeText('no address, not even http:// alone').urls).toEqual([]);
  });

  it('composes Hangul that came in pieces, so that a Korean name is found', () => {
    const { normalizedBody, body } = normalizeText('/시세 삼성전자'.normalize('NFD'));
    expect(normalizedBody).toBe('/시세 삼성전자');
    expect(body).toBe('/시세 삼성전자');
  });

  it('takes out control characters, but not tabs and line feeds', () => {
    const { body } = normalizeText('a\u0000b\u0007c\u001b[31md\u007fe\u0085f\tg\nh');
    expect(body).toBe('abc[31mdef\tg\nh');
  });

  it('reads a lone carriage return as a line break too', () => {
    expect(normalizeText('a\rb')).toMatchObject({ body: 'a\nb', normalizedBody: 'a b' });
  });

  it('finds a command behind the mention that addresses the bot', () => {
    expect(normalizeText('<@U1> /reset').normalizedBody).toBe('/reset');
    expect(normalizeText('<@!42>\n/초기화'.normalize('NFD')).normalizedBody).toBe('/초기화');
  });

  it('gives the same when it is given what it gave', () => {
    const once = normalizeText(' <@U1>  a\r\nb\u0007 c ').body;
    expect(normalizeText(once).body).toBe(once);
  });

  it('reads CRLF as one line break', () => {
    const { body, normalizedBody } = normalizeText('first\r\nsecond\r\n\r\nthird');
    expect(body).toBe('first\nsecond\n\nthird');
    expect(normalizedBody).toBe('first second third');
  });

  it('keeps lines and indentation in the body and has it on one line beside it', () => {
    const code = 'explain:\n\n  if x:\n\t  y  =  1';
    const { body, normalizedBody } = normalizeText(`  ${code}\n`);
    expect(body).toBe(code);
    expect(normalizedBody).toBe('explain: if x: y = 1');
  });

  it.each(['سعر سهم أبل \u202bاليوم\u202c', '👨‍👩‍👧‍👦 🇰🇷 👍🏽 ok', 'שלום AAPL', 'a\u200db'])(
    'does not touch %j',
    (text) => {
      const { body, normalizedBody } = normalizeText(text);
      expect(body).toBe(text);
      expect(normalizedBody).toBe(text);
    },
  );

  it('makes an empty text of a message that is a mention alone', () => {
    expect(normalizeText(' <@1> ')).toMatchObject({ normalizedBody: '', mentions: ['1'] });
  });
});
