import { describe, expect, it } from 'vitest';
import { msgContext } from '#test/support/context.ts';
import { normalized, received } from '#test/chat/pipeline/support.ts';
import { cpuMs } from '#test/support/cpu-time.ts';
import { everyRow } from '#test/support/every-row.ts';
import { normalizeText } from '#test/support/markup.ts';

describe('normalize', () => {
  it('has the text with its lines for the model', async () => {
    const rawBody = '<@U1|fin claw> explain:\r\n\n  if x:\n\t  y  =  1\nhttps://example.com/a.';
    const output = await normalized({ ctx: msgContext({ rawBody }) });
    const body = 'explain:\n\n  if x:\n\t  y  =  1\nhttps://example.com/a.';
    expect(output.ctx).toMatchObject({ bodyForAgent: body });
  });

  it('keeps what the platform sent and everything else of the message', async () => {
    const rawBody = '<@1>  hi\r\n';
    const input = received({ ctx: msgContext({ rawBody, locale: 'ko' }) });
    const output = await normalized(input);
    expect(output.ctx.rawBody).toBe(rawBody);
    expect(output.ctx).toMatchObject({ locale: 'ko', inboxId: input.ctx.inboxId });
    expect(output.channel).toBe(input.channel);
    expect(output.match).toBe(input.match);
  });
});

describe('normalizeText', () => {
  it.each([
    { form: 'Discord', text: '<@123> price of Apple' },
    { form: 'Discord, by nickname', text: '<@!123> price of Apple' },
    { form: 'Slack', text: '<@U0AB12> price of Apple' },
    { form: 'Slack, with the name', text: '<@U0AB12|fin claw> price of Apple' },
  ])('takes out a mention as written by $form', ({ text }) => {
    const body = normalizeText(text);
    expect(body).toBe('price of Apple');
  });

  it('takes out every mention, wherever it stands', () => {
    expect(normalizeText('<@1> ask <@U2|mina> and <@!3>')).toBe('ask  and');
  });

  everyRow([
    'PER <15 and ROE> 20',
    'a < b && c > d',
    '<https://example.com>',
    '<@>',
    '<#>',
    '<:smile>',
    '<t:now>',
    '<!doctype html>',
    'List<Map<String, Integer>>',
    '@mina',
    '@everyone',
  ])('leaves %j as it is: it is no mention', (text) => {
    expect(normalizeText(text)).toBe(text);
  });

  it('composes Hangul that came in pieces, so that a Korean name is found', () => {
    const body = normalizeText('/시세 삼성전자'.normalize('NFD'));
    expect(body).toBe('/시세 삼성전자');
  });

  it('takes out control characters, but not tabs and line feeds', () => {
    const body = normalizeText('a\u0000b\u0007c\u001b[31md\u007fe\u0085f\tg\nh');
    expect(body).toBe('abc[31mdef\tg\nh');
  });

  it('reads a lone carriage return as a line break too', () => {
    expect(normalizeText('a\rb')).toBe('a\nb');
  });

  it('finds a command behind the mention that addresses the bot', () => {
    expect(normalizeText('<@U1> /reset')).toBe('/reset');
    expect(normalizeText('<@!42>\n/초기화'.normalize('NFD'))).toBe('/초기화');
  });

  it('gives the same when it is given what it gave', () => {
    const once = normalizeText(' <@U1>  a\r\nb\u0007 c ');
    expect(normalizeText(once)).toBe(once);
  });

  it('reads CRLF as one line break', () => {
    const body = normalizeText('first\r\nsecond\r\n\r\nthird');
    expect(body).toBe('first\nsecond\n\nthird');
  });

  it('keeps lines and indentation in the body', () => {
    const code = 'explain:\n\n  if x:\n\t  y  =  1';
    const body = normalizeText(`  ${code}\n`);
    expect(body).toBe(code);
  });

  it.each(['سعر سهم أبل اليوم', '👨‍👩‍👧‍👦 🇰🇷 👍🏽 ok', 'שלום\u200e AAPL', 'a\u200db', 'می\u200cخواهم'])(
    'does not touch %j',
    (text) => {
      const body = normalizeText(text);
      expect(body).toBe(text);
    },
  );

  everyRow(['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'])(
    'takes out %j, which turns the direction of what follows',
    (mark) => {
      expect(normalizeText(`sell${mark} 001 LPAA`)).toBe('sell 001 LPAA');
    },
  );

  it.each(['\u200b', '\ufeff', '\u2060'])('finds a command behind the unseen %j', (blank) => {
    expect(normalizeText(`<@1> ${blank}/help${blank}`)).toBe('/help');
  });

  it('makes an empty text of a message that is a mention alone', () => {
    expect(normalizeText(' <@1> ')).toBe('');
  });
});

describe('normalizeText, the markup of platforms', () => {
  everyRow([
    // Discord
    ['buy <:rocket:123> now', 'buy :rocket: now'],
    ['<a:party_1:99>', ':party_1:'],
    ['since <t:1763015400>', 'since 2025-11-13 06:30 UTC'],
    ['<t:1763015400:R>', '2025-11-13 06:30 UTC'],
    ['<t:9999999999999>', '<t:9999999999999>'],
    ['</price:123> AAPL', '/price AAPL'],
    ['who is in <@&42>?', 'who is in @role?'],
    ['<@&42> /price AAPL', '/price AAPL'],
    ['<@1> <@&42> <@&43> hi', 'hi'],
    ['<@&42> <@1> hi', 'hi'],
    ['see <#123>', 'see #123'],
    // Slack
    ['see <#C1|general>', 'see #general'],
    ['see <#C1|>', 'see #C1'],
    ['see <#C1>', 'see #C1'],
    ['ask <!subteam^S1|@team>', 'ask @team'],
    ['ask <!subteam^S1|team>', 'ask @team'],
    ['ask <!subteam^S1>', 'ask @group'],
    ['<!here> <!channel> <!everyone>', 'here channel everyone'],
    ['<!here|here> look', 'here look'],
    ['on <!date^1392734382^{date}|Feb 18, 2014>', 'on Feb 18, 2014'],
    ['<https://a.com/x|the page>', 'the page (https://a.com/x)'],
    ['<https://a.com|a.com>', 'https://a.com'],
    ['<https://a.com/|https://a.com>', 'https://a.com/'],
    ['<https://a.com/|>', 'https://a.com/'],
    ['<mailto:a@b.com|a@b.com>', 'a@b.com'],
    ['<mailto:a@b.com|write to us>', 'write to us (mailto:a@b.com)'],
    ['<tel:+8212|+8212>', '+8212'],
  ])('reads %j as %j', (text, readable) => {
    expect(normalizeText(text)).toBe(readable);
  });

  it('leaves nothing that could ping a whole channel', () => {
    const body = normalizeText('<!here><!channel|channel><@&1><!subteam^S1|@all>');
    expect(body).not.toMatch(/<[!@]/);
  });

  it('takes no time over a text that is made to take long', () => {
    const startedMs = cpuMs();
    for (const piece of ['<', '<@', '<:a', '<t:1', '<!subteam^A', '<https://a', '<#a|', 'https://', '(']) {
      normalizeText(piece.repeat(20_000));
    }
    expect(cpuMs() - startedMs).toBeLessThan(2_000);
  });
});
