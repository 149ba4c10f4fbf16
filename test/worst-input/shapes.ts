/** A text of exactly this length, made of one piece after the other. */
const fill = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

export interface Shape {
  readonly name: string;
  readonly of: (length: number) => string;
}

const run = (name: string, piece: string): Shape => ({ name, of: (length) => fill(piece, length) });

/** One piece, and in its middle and at its end what makes a pattern that almost matched look back. */
const spoiled = (name: string, piece: string, spoiler: string): Shape => ({
  name,
  of: (length) => {
    const half = fill(piece, Math.max(0, Math.floor(length / 2) - spoiler.length));
    return `${half}${spoiler}${half}${spoiler}`.slice(0, length);
  },
});

/** Long runs of one character: patterns that begin anew at each of them are quadratic here. */
const RUNS: readonly Shape[] = [
  run('Latin letters', 'a'),
  run('capital letters', 'A'),
  run('Hangul', '삼'),
  run('Hangul consonants', 'ㅅ'),
  run('Han characters', '漢'),
  run('emoji', '🚀'),
  run('emoji joined into one', '👩\u200d'),
  run('regional indicators', '🇰'),
  run('combining marks', '\u0301'),
  run('letters that grow when normalized', 'ﷺ'),
  run('blanks', ' '),
  run('blanks that are no spaces', '\u00a0\u3000'),
  run('newlines', '\n'),
  run('carriage returns', '\r'),
  run('tabs', '\t'),
  run('digits', '7'),
  run('zeros', '0'),
  run('commas', ','),
  run('dots', '.'),
  run('less-than signs', '<'),
  run('greater-than signs', '>'),
  run('ampersands', '&'),
  run('opening brackets', '['),
  run('opening parentheses', '('),
  run('opening braces', '{'),
  run('backquotes', '`'),
  run('tildes', '~'),
  run('asterisks', '*'),
  run('underscores', '_'),
  run('pipes', '|'),
  run('hyphens', '-'),
  run('plus signs', '+'),
  run('equals signs', '='),
  run('colons', ':'),
  run('slashes', '/'),
  run('hashes', '#'),
  run('exclamation marks', '!'),
  run('at signs', '@'),
  run('dollar signs', '$'),
  run('percent signs', '%'),
  run('double quotes', '"'),
  run('single quotes', "'"),
  run('backslashes', '\\'),
  run('right-to-left overrides', '\u202e'),
  run('zero-width spaces', '\u200b'),
  run('NUL characters', '\u0000'),
  run('high surrogates', '\ud83d'),
  run('low surrogates', '\ude80'),
];

const ALTERNATIONS: readonly Shape[] = [
  run('one-letter words', 'a '),
  run('one-letter Hangul words', '삼 '),
  run('Korean words with particles', '삼성전자를 '),
  run('names of instruments', 'Apple 삼성전자 TSLA '),
  run('codes with suffixes', '005930.KS BTC-USD ^GSPC '),
  run('words split by newlines', 'a\n'),
  run('digits and commas', '1,'),
  run('digits and dots', '1.'),
  run('digits and hyphens', '1-'),
  run('digits and blanks', '1 '),
  run('groups of four digits', '4111 '),
  run('words of money', '$1만 '),
  run('units of Korean numbers', '일억이천만 '),
  run('capitals and dots', 'A.'),
  run('angle brackets and letters', '<a '),
  run('empty tags', '<>'),
  run('tags that stay open', '<div>'),
  run('tags that end alone', '</p>'),
  run('comments that stay open', '<!-- '),
  run('attributes that stay open', '<a href="'),
  run('entities that do not end', '&amp'),
  run('empty links', '[]('),
  run('nested links', '[a]('),
  run('images that stay open', '!['),
  run('footnotes', '[^1]: '),
  run('strong words that stay open', '**a'),
  run('emphasis that stays open', '_a '),
  run('struck words that stay open', '~~a'),
  run('code spans of odd length', '`a``b'),
  run('quotes in quotes', '> '),
  run('lists in lists', '- '),
  run('numbered lists', '1. a\n'),
  run('headings', '# a\n'),
  run('rules', '---\n'),
  run('fences that stay open', '```\na\n'),
  run('cells of tables', '|a'),
  run('rows of tables', '| a | b |\n'),
  run('braces and quotes', '{"a":'),
  run('addresses', 'https://a.b/'),
  run('addresses that are broken', 'http://['),
  run('mail addresses', 'a@a.'),
  run('mentions', '<@U0123ABCD> '),
  run('mass mentions', '@everyone '),
  run('flags of commands', '--a=b '),
  run('flags that are quoted', '--a="b '),
  run('control tokens', '<<NO_REPLY>> '),
  run('control tokens that stay open', '<<NO_'),
  run('our own markup', '<context>'),
  run('dates before wide dots', '1/2 ．'),
];

/** Almost what a pattern looks for: keys, numbers of cards and accounts, dates, amounts, cells of a CSV file. */
const ALMOST: readonly Shape[] = [
  spoiled('almost a key of a provider', 'sk-ant-', '!'),
  spoiled('almost a long key', 'sk-ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', '한'),
  spoiled('almost a token of Slack', 'xoxb-1-', '!'),
  spoiled('almost a password', 'password = ', '\n'),
  spoiled('almost a private key', '-----BEGIN PRIVATE KEY-----', 'x'),
  spoiled('almost a web token', 'eyJhbGciOiJ9.', '!'),
  spoiled('almost a number of a card', '4111-1111-1111-111', 'x'),
  spoiled('almost an account', '계좌번호: 110-123-45678', '가'),
  spoiled('almost a resident number', '900101-1', 'x'),
  spoiled('almost an IBAN', 'DE89 3704 0044 0532 0130 ', '!'),
  spoiled('almost a date', '2026-11-', 'x'),
  spoiled('almost a Korean date', '2026년 11월 ', '말'),
  spoiled('almost a time', '12:34:', 'pm '),
  spoiled('almost an amount', '- 1,234.', '+ '),
  spoiled('almost an address', 'https://a?b=c&', '"'),
  spoiled('almost a sum', '1+(2*', 'a'),
  spoiled('almost a trade', 'bought 5 AAPL @ ', 'or '),
  spoiled('almost an alert', 'alert me when AAPL > ', 'not '),
  {
    name: 'a cell of blanks around a dot',
    of: (n) => `-${fill(' ', n / 2 - 1)}.${fill(' ', n / 2 - 1)}+`.slice(0, n),
  },
  { name: 'blanks before one word', of: (n) => `${fill(' ', n - 1)}x` },
  { name: 'blanks behind one word', of: (n) => `x${fill(' ', n - 2)}x` },
  { name: 'newlines before one word', of: (n) => `${fill('\n', n - 1)}x` },
  { name: 'open and closed brackets', of: (n) => fill('[', n / 2) + fill(']', n / 2) },
  { name: 'nested JSON', of: (n) => fill('[', n / 2) + fill(']', n / 2) },
  { name: 'a text that says it is JSON', of: (n) => `{"a":"${fill('\\"', n - 8)}"}` },
  { name: 'nested emphasis', of: (n) => fill('*a ', n / 2) + fill('b*', n / 2) },
  {
    name: 'a table with thousands of cells',
    of: (n) => `|${fill('a|', n / 3)}\n|${fill('-|', n / 3)}\n|${fill('b|', n / 3 - 6)}`,
  },
  { name: 'a table with thousands of rows', of: (n) => `|a|b|\n|-|-|\n${fill('|漢|🚀|\n', n - 14)}` },
  { name: 'different words', of: different('abcdefghijklmnopqrstuvwxyz') },
  { name: 'different Hangul words', of: different('가나다라마바사아자차카타파하삼성전현대') },
  { name: 'deeper and deeper lists', of: deeper('- a\n', '  ') },
  { name: 'lists that tabs make deeper', of: deeper('- a\n', '\t', 70) },
  { name: 'lists in quotes of all depths', of: deeper('- <<<<<<\n', '> ', 15) },
  { name: 'deeper and deeper quotes', of: (n) => `${fill('> ', n - 1)}a` },
];

/** Words of which none comes twice: nothing that is remembered helps. */
function different(letters: string): (length: number) => string {
  return (length) => {
    const words: string[] = [];
    for (let index = 0, made = 0; made < length; index += 1) {
      const word = Array.from(
        { length: 4 },
        (_, place) => letters[Math.floor(index / letters.length ** place) % letters.length] ?? '',
      ).join('');
      words.push(word);
      made += word.length + 1;
    }
    return words.join(' ').slice(0, length);
  };
}

function deeper(item: string, step: string, levels = Infinity): (length: number) => string {
  return (length) => {
    let text = '';
    for (let line = 0; text.length < length; line += 1) text += `${step.repeat(line % levels)}${item}`;
    return text.slice(0, length);
  };
}

export const SHAPES: readonly Shape[] = [...RUNS, ...ALTERNATIONS, ...ALMOST];

const named = (...names: readonly string[]): readonly Shape[] =>
  names.map((name) => {
    const shape = SHAPES.find((each) => each.name === name);
    if (!shape) throw new Error(`There is no shape ${name}`);
    return shape;
  });

/** For entry points that are many: one or two of each kind. */
export const FEW_SHAPES: readonly Shape[] = named(
  'Latin letters',
  'Han characters',
  'digits',
  'commas',
  'double quotes',
  'digits and commas',
  'names of instruments',
  'almost an amount',
  'almost a date',
  'a cell of blanks around a dot',
  'different words',
  'different Hangul words',
);

/** For texts of several hundred kilobytes: those that cost most there, and some of each kind. */
export const LONG_SHAPES: readonly Shape[] = [
  ...FEW_SHAPES,
  ...named(
    'combining marks',
    'blanks that are no spaces',
    'newlines',
    'carriage returns',
    'less-than signs',
    'opening brackets',
    'high surrogates',
    'words split by newlines',
    'empty tags',
    'tags that stay open',
    'tags that end alone',
    'attributes that stay open',
    'entities that do not end',
    'quotes in quotes',
    'numbered lists',
    'headings',
    'rules',
    'fences that stay open',
    'rows of tables',
    'control tokens',
    'almost a key of a provider',
    'almost a password',
    'almost an account',
    'almost an IBAN',
    'groups of four digits',
    'emoji joined into one',
    'a table with thousands of cells',
    'a table with thousands of rows',
    'a text that says it is JSON',
    'deeper and deeper lists',
    'lists that tabs make deeper',
    'lists in quotes of all depths',
  ),
];

/** A third of the shapes for each of many similar inputs, so that together they meet all; `FINCLAW_WORST=all` sends every one. */
export const shareOf = (shapes: readonly Shape[], input: number): readonly Shape[] =>
  process.env['FINCLAW_WORST'] === 'all' ? shapes : shapes.filter((_, index) => index % 3 === input % 3);
