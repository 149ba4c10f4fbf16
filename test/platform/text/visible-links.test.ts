import * as fc from 'fast-check';
import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { shortened } from '#src/kernel/text.ts';
import {
  withoutAddresses,
  withoutLinks,
  withPointedAddresses,
  withVisibleLinks,
  withVisibleLinksSoFar,
} from '#src/platform/text/visible-links.ts';
import { everyRow } from '#test/support/every-row.ts';

const EVIL = 'https://evil.example/x?d=1';

const PIECES =
  String.raw`[|](|]|(|)|!|<|>|a|\|${'`'}|"|.|%|/|[x]|[x]: |[a](|))|]:|x:|//|> |- |&#46;|www.|evil.example|${EVIL}`
    .split('|')
    .concat('|', ' ', '\n', '\n\n', '\u3164');

/** What is left when nobody minds how an address is written. */
const letters = (text: string): string =>
  text.replaceAll(/%..|[^a-z.]/gi, '').replace(/^(?:https?|mailto)/, '');

describe('a link', () => {
  everyRow([
    [`[Your bank](${EVIL})`, `Your bank (<${EVIL}>)`],
    [`**[Your bank](<${EVIL}> "bank.example")**`, `**Your bank (<${EVIL}>)**`],
    [`see [a [b] c](${EVIL}) and [d](${EVIL}).`, `see a [b] c (<${EVIL}>) and d (<${EVIL}>).`],
    [`[![chart](${EVIL})](https://b.example)`, `chart (<${EVIL}>) (<https://b.example>)`],
    [`![](${EVIL})`, `<${EVIL}>`],
    [`![the chart](${EVIL})`, `the chart (<${EVIL}>)`],
    [`[${EVIL}](${EVIL})`, `<${EVIL}>`],
    ['[evil.example](https://evil.example/)', '<https://evil.example/>'],
    ['[https://bank.example](https://evil.example)', 'https://bank.example (<https://evil.example>)'],
    ['[x](https://bank.example@evil.example/)', 'x (<https://evil.example/>)'],
    ['[x](https://аpple.example/a)', 'x (<https://xn--pple-43d.example/a>)'],
    ['[x](https://a.example/b_(c))', 'x (<https://a.example/b_(c)>)'],
    ['[call](tel:123) [x](javascript:alert)', 'call (tel:123) x (javascript:alert)'],
    ['[a][1]\n\n[1]: https://evil.example', '[a][1]\n\n1: https://evil.example'],
    [`<${EVIL}|Your bank>`, `Your bank (<${EVIL}>)`],
    [`\`[Your bank](${EVIL})\``, `\`Your bank (<${EVIL}>)\``],
    ['[a][1]\n\n- [1]:\nhttps://evil.example', '[a][1]\n\n- 1:\nhttps://evil.example'],
    [`[Your bank](\t${EVIL})`, `Your bank (<${EVIL}>)`],
    [`[Your bank](${EVIL}/a(b(c)d)e)`, `[Your bank] (${EVIL}/a(b(c)d)e)`],
    ['[Your bank](https&#58;//evil.example)', '[Your bank] (https&#58;//evil.example)'],
    [String.raw`[Your bank](https\://evil.example)`, String.raw`[Your bank] (https\://evil.example)`],
    ['safe\u202e\u2066\u200b\u200f text\u{e0041}', 'safe text'],
    ['[Your bank](www.evil.example/login)', 'Your bank (www.evil.example/login)'],
    ['[Your bank](evil.example/login)', 'Your bank (evil.example/login)'],
    ['[Your bank](evil.example "bank.example")', 'Your bank (evil.example)'],
    ['![](evil.example/x.png)', 'evil.example/x.png'],
    ['[Your bank](<evil.example/a b>)', 'Your bank (evil.example/a b)'],
    ['[Your bank](/login)', '[Your bank] (/login)'],
    ['[Your bank](evil%2eexample)', '[Your bank] (evil%2eexample)'],
    ['[Your bank](evil。example)', '[Your bank] (evil。example)'],
    ['[Your bank](x(y).evil.example)', '[Your bank] (x(y).evil.example)'],
    [`[Your bank](${'u'.repeat(400)}@evil.example)`, `Your bank (${'u'.repeat(400)}@evil.example)`],
    ['[Your bank][x]\n\n[x]: //evil.example', '[Your bank][x]\n\nx: //evil.example'],
    ['[Your bank][x]\n\n[x]: evil.example', '[Your bank][x]\n\nx: evil.example'],
    [
      `[Your bank][x]\n\n${'> '.repeat(20)}[x]:${' '.repeat(40)}evil.example`,
      `[Your bank][x]\n\n${'> '.repeat(20)}x:${' '.repeat(40)}evil.example`,
    ],
    [
      `[Your bank][${'x'.repeat(900)}]\n\n[${'x'.repeat(900)}]: /evil`,
      `[Your bank][${'x'.repeat(900)}]\n\n${'x'.repeat(900)}: /evil`,
    ],
    ['[a][x\\\ny]\n\n[x\\\ny]: //evil.example', '[a][x\\\ny]\n\nx\\\ny: //evil.example'],
    ['[\n[x]: ]://evil.example', '\nx: ://evil.example'],
    ['[Your bank][x]\n\n[x]: [<.evil.example', '[Your bank][x]\n\nx: [<.evil.example'],
    [`> [Your bank](\n> ${EVIL})`, `> [Your bank] (\n> ${EVIL})`],
    [`> [Your bank][x]\n>\n> [x]:\n> ${EVIL}`, `> [Your bank][x]\n>\n> x:\n> ${EVIL}`],
    [`[a](/x.yy[b](${EVIL}))`, `a (/x.yy[b]%28${EVIL}))`],
    [`[a](https://a.example/[b](${EVIL}))`, `a (<https://a.example/[b]%28${EVIL})>)`],
    ['[]([x.yy)]: //evil.example\n\n[Your bank][x.yy]', 'x.yy: //evil.example\n\n[Your bank][x.yy]'],
    [`[a](${EVIL}|Your-bank)`, `a (<${EVIL}%7CYour-bank>)`],
    [
      '[Your bank](>/evil.example) [b](<)/evil.example>)',
      '[Your bank] (>/evil.example) [b] (<)/evil.example>)',
    ],
    ['<evil.example/x|Your bank>', 'Your bank (evil.example/x)'],
    [`<${EVIL}|${'Your bank '.repeat(40)}>`, `${'Your bank '.repeat(40).trim()} (<${EVIL}>)`],
    ['https://bank.example\u3164\u2800\uffa0.evil.example', 'https://bank.example   .evil.example'],
    ['a\u115f\u1160b \u1160c', 'ab c'],
  ])('that hides where it leads shows it: %j', (markdown, visible) => {
    expect(withVisibleLinks(markdown)).toBe(visible);
  });

  everyRow([
    'PER [1](see below) and arr[0](x)',
    'plain https://a.example/b and <https://c.example>',
    '- [ ] task\n- [x] done (really)',
    '👩‍👩‍👧 가족',
    String.raw`\[no](link`,
    '[단독]: 삼성전자',
    '<@U1|mina> <#C1|general>',
    // Old Korean is written with fillers: a vowel or a final consonant by itself.
    '\u115f\u1161 \u1100\u1160\u11a8 가나다 ㄱㄴㄷ',
  ])('that hides nothing stays as it is: %j', (markdown) => {
    expect(withVisibleLinks(markdown)).toBe(markdown);
  });

  it('is no masked one, and is written the same the second time, whatever stands around it', () => {
    const pieces = fc.constantFrom(...PIECES);
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
        const once = withVisibleLinks(parts.join(''));
        expect(withVisibleLinks(once)).toBe(once);
        void marked.walkTokens(marked.lexer(once), (token) => {
          if (token.type !== 'link' && token.type !== 'image') return;
          if (/[./:]/.test(token['href'])) expect(letters(token['text'])).toBe(letters(token['href']));
        });
        const pointed = withPointedAddresses(once);
        expect(withPointedAddresses(pointed)).toBe(pointed);
        expect(pointed).not.toMatch(/\\<https?:/);
      }),
      { numRuns: 1_000 },
    );
  });

  it('that is not whole yet is held back while the text grows, so that nothing shown is taken back', () => {
    const whole = `See [Your bank](${EVIL}) and ![p](${EVIL}), then <${EVIL}> [end] of it.`;
    let shown = '';
    for (let length = 1; length <= whole.length; length += 1) {
      const next = withVisibleLinksSoFar(whole.slice(0, length));
      expect(next.startsWith(shown)).toBe(true);
      shown = next;
    }
    expect(shown).toBe(withVisibleLinks(whole));
  });

  it.each([
    ['a \\<https://evil.example/x.png?d=5AAPL>', 'a \\<<https://evil.example/x.png?d=5AAPL>>'],
    ['a \\\\<https://evil.example/x>', 'a \\\\<<https://evil.example/x>>'],
    ['a \\https://evil.example/x', 'a \\ <https://evil.example/x>'],
    ['\\![](https://evil.example/x.png)', '\\<<https://evil.example/x.png>>'],
  ])('stands in angle brackets that are brackets, and not text behind a backslash: %j', (markdown, shown) => {
    const once = withPointedAddresses(withVisibleLinks(markdown));
    expect(once).toBe(shown);
    expect(withPointedAddresses(withVisibleLinks(once))).toBe(shown);
  });

  it('cannot be put together again from the pieces around one that was taken out', () => {
    for (const nested of [
      'hthttps://tps://evil.example',
      'hthttps://tps:////x',
      'hhttp://ttphttp://://x.example',
    ])
      expect(withoutLinks(nested)).not.toMatch(/https?:\/\//i);
  });

  it('stands in angle brackets once, without the punctuation behind it', () => {
    expect(withPointedAddresses(`a ${EVIL}, <${EVIL}> (https://b.example/c) d`)).toBe(
      `a <${EVIL}>, <${EVIL}> (<https://b.example/c>) d`,
    );
    expect(withoutLinks(`a <${EVIL}> b ${EVIL}`)).toBe('a evil.example/x?d=1 b evil.example/x?d=1');
  });
});

describe('a text that is streamed', () => {
  everyRow([
    ['See evil.example/x?d=5AAPL now', 'See … now'],
    ['See **d5aapl.evil.example**, (evil.example/x).', 'See **…**, (…).'],
    [`See <${EVIL}> or ${EVIL}!`, 'See … or …!'],
    ['See HTTPS://evil.example:8080/x and HTTP://localhost/x', 'See … and …'],
    [String.raw`See evil\.example/x, evil&#46;example/x and evil&period;example`, 'See …, … and …'],
    ['여기는 evil.example에서 보세요. 주소는 삼성.한국 예요', '여기는 … 보세요. 주소는 … 예요'],
    ['mail mina@evil.example or 203.0.113.5/x?d=5', 'mail … or …'],
    ['| a |evil.example/x|b |', '| a |…|b |'],
    ['https://evil', '…'],
  ])('holds no address, with a scheme or without: %j', (markdown, shown) => {
    expect(withoutAddresses(markdown)).toBe(shown);
    expect(withoutAddresses(shown)).toBe(shown);
  });

  it.each([
    'Up 3.5% to $1,234.50 (e.g. the U.S.), i.e. 1.2bn; BRK.B too.',
    '올랐습니다.그리고 3.5% 상승했습니다. 10/21 09:30, S&P 500 -1.2%p',
    '**AT&T** _rose_ and/or fell 1:2',
  ])('keeps everything else: %j', (text) => {
    expect(withoutAddresses(text)).toBe(text);
  });

  it('keeps the code of a security, in a way that is no address', () => {
    expect(withoutAddresses('**005930.KS** and SHOP.TO.')).toBe('**005930.\u2060KS** and SHOP.\u2060TO.');
  });
});

describe('a name in a sentence of ours', () => {
  it('is never a link or other markup', () => {
    for (const name of [
      '[main](https://evil.example)',
      'https://evil.example',
      '**main**',
      '<@U1>',
      '\u202eniam',
      '\u3164main\u2800',
    ])
      expect(withPointedAddresses(withVisibleLinks(shortened(name)))).toBe(shortened(name));
    expect(shortened('ma\u2800\u3164in\u2800')).toBe('ma in');
    expect(shortened('[main](https://evil.example)')).not.toMatch(/[[\]<>]|:\/\//);
  });
});
