/**
 * Characters that no reader sees and that make a text look like another one: marks of direction, blanks without width,
 * Hangul fillers. Joiners stay, for emoji and some scripts are built with them; a filler stays in a syllable of old
 * Korean, where it holds the place of a missing letter.
 */
const DECEIVING =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2061-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\u115f(?![\u1161-\u11a7\ud7b0-\ud7c6])|(?<![\u1100-\u115e\ua960-\ua97c])\u1160(?![\u11a8-\u11ff\ud7cb-\ud7fb])/gu;
/** Letters and braille without a shape. They look like blanks, but an address would go on behind them. */
const SHAPELESS = /[\u2800\u3164\uffa0]/gu;

export const withoutDeceivingCharacters = (text: string): string =>
  text.replace(DECEIVING, '').replace(SHAPELESS, ' ');

const MAX_TARGET = 2_048;
const ADDRESS = /https?:\/\/[^\s<>]{1,2048}/giu;
const TRAILING: ReadonlySet<string> = new Set(`.,;:!?'"*_~\``);

/** Of a link, behind `](`: the target, with a pair of brackets in it at most, and maybe a title. */
const TARGET =
  /\s{0,50}(?:<([^<>\n]{1,2048})>|((?:[^\s()<>]|\([^\s()<>]{0,500}\)){1,2048}))(?:\s{1,4}["'(][^\n]{0,300}?["')])?\s{0,4}\)/uy;

/** Where `](` leads, and where that ends; undefined where no link begins there. */
const targetAt = (
  text: string,
  open: number,
): { readonly target: string; readonly end: number } | undefined => {
  TARGET.lastIndex = open + 1;
  const found = TARGET.exec(text);
  const target = found?.[1] ?? found?.[2];
  return target === undefined ? undefined : { target, end: TARGET.lastIndex };
};

/** `arr[0](x)` leads nowhere. Platforms make an address of a domain without a scheme, too. */
const LEADS_SOMEWHERE = /\s{0,50}<?(?:\/\/|[a-z][a-z0-9+.-]{0,30}:|[^\s<>()&\\%]{1,2000}\.\p{L}{2})/iuy;
/** What a platform might read as an address although it is not written plainly: `https&#58;//…`, `https\://…`, `/x`.
 * It may begin on the next line, behind the mark of a quote. */
const MAY_LEAD = /[\s[\]>]*(?:[^\s)[\]>][^\s)]{0,2047}?)?[(<:&\\/%.\u3002\uff0e\uff61]/y;

const fits = (pattern: RegExp, text: string, at: number): boolean => {
  pattern.lastIndex = at;
  return pattern.test(text);
};
const PLAIN_ADDRESS = /^https?:\/\/([a-z0-9.-]{1,255}(?::\d{1,5})?)(?:[/?#][^@]*)?$/i;

const isWebAddress = (url: URL | null): url is URL => url !== null && /^https?:$/.test(url.protocol);

/** What is shown must not be markup again: a target may hold a link of its own. */
const asShown = (target: string): string =>
  target.replaceAll(/[<>]/g, '').replaceAll('](', ']%28').replaceAll('|', '%7C');

/** The address as it leads: the host in ASCII, and nothing in front of it that could pass for one. */
const readTarget = (target: string): { readonly shown: string; readonly host?: string } => {
  const host = PLAIN_ADDRESS.exec(target)?.[1];
  if (host !== undefined) return { shown: `<${asShown(target)}>`, host };
  const url = URL.parse(target);
  if (!isWebAddress(url)) return { shown: asShown(target) };
  url.username = '';
  url.password = '';
  return { shown: `<${asShown(url.href)}>`, host: url.host };
};

const bare = (address: string): string =>
  address
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '')
    .toLowerCase();

/** The words before a link; none where they say the same as its target. */
const wordsBefore = (label: string, target: string, host: string | undefined): string => {
  const words = bare(label.replaceAll(/[*_`~\\]/g, '').trim());
  return words === '' || words === bare(target) || words === host ? '' : label.trim();
};

const spelledOut = (label: string, target: string): string => {
  const { shown, host } = readTarget(target);
  const words = wordsBefore(label, target, host);
  return words === '' ? shown : `${words} (${shown})`;
};

/** A longer one is not compared with its target. */
const MAX_COMPARED = 300;

/** Finds the `[` of each `]` in one pass, for brackets can stand in brackets. */
const withTargets = (text: string): string => {
  if (!text.includes('](')) return text;
  const pieces: string[] = [];
  /** Where each open bracket stands, and the number of its own piece. */
  const opened: { readonly at: number; readonly piece: number }[] = [];
  let from = 0;
  const take = (to: number, next: number): void => {
    pieces.push(text.slice(from, to));
    from = next;
  };
  const replace = (
    open: { readonly at: number; readonly piece: number },
    at: number,
    target: string,
  ): void => {
    take(at, at);
    // The sign of a picture goes with its bracket.
    pieces[open.piece] = '';
    const before = pieces[open.piece - 1] ?? '';
    if (before.endsWith('!')) pieces[open.piece - 1] = before.slice(0, -1);
    if (at - open.at > MAX_COMPARED) pieces.push(` (${readTarget(target).shown})`);
    else pieces.push(spelledOut(pieces.splice(open.piece + 1).join(''), target));
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '\\') at += 1;
    else if (sign === '[') {
      take(at, at + 1);
      opened.push({ at, piece: pieces.length });
      pieces.push('[');
    } else if (sign === ']') {
      const open = opened.pop();
      if (text[at + 1] !== '(') continue;
      const found =
        open !== undefined && fits(LEADS_SOMEWHERE, text, at + 2) ? targetAt(text, at + 1) : undefined;
      if (!open || !found) {
        // Where it leads is not understood, so it must not be a link: a blank makes it plain text.
        if (fits(MAY_LEAD, text, at + 2)) {
          take(at + 1, at + 1);
          pieces.push(' ');
        }
        continue;
      }
      replace(open, at, found.target);
      from = found.end;
      at = found.end - 1;
    }
  }
  return pieces.join('') + text.slice(from);
};

/** Behind the `]:` of a definition: something that a platform might read as an address. */
const DEFINED_TARGET = /[\s[\]>]{0,2048}(?:[^\s[\]>]\S{0,2047}?)?[:&\\/%.\u3002\uff0e\uff61]/y;
/** What can stand before a definition on its line: quotes and list marks. */
const BEFORE_DEFINITION = /[ \t>*+\d.)-]/;
const MAX_BEFORE_DEFINITION = 500;

const startsLine = (text: string, at: number): boolean => {
  const first = Math.max(0, at - MAX_BEFORE_DEFINITION);
  let start = at;
  while (start > first && BEFORE_DEFINITION.test(text.charAt(start - 1))) start -= 1;
  return start === 0 || text[start - 1] === '\n';
};

/**
 * `[name]: https://…` gives a target to `[words][name]` elsewhere, so it loses its brackets. The target may stand on
 * the next line. One pass with a stack: a label without brackets of its own can be what an inner definition left over.
 */
const withoutDefinitions = (text: string): string => {
  if (!text.includes(']:')) return text;
  const removed: number[] = [];
  const opened: { readonly at: number; hasBrackets: boolean }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '\\') at += 1;
    else if (sign === '[') opened.push({ at, hasBrackets: false });
    else if (sign === ']') {
      const open = opened.pop();
      if (open === undefined) continue;
      const isDefinition =
        !open.hasBrackets &&
        text[at + 1] === ':' &&
        startsLine(text, open.at) &&
        text.slice(open.at + 1, at).trim() !== '' &&
        fits(DEFINED_TARGET, text, at + 2);
      const outer = opened.at(-1);
      if (isDefinition) removed.push(open.at, at);
      else if (outer) outer.hasBrackets = true;
    }
  }
  let rest = '';
  let from = 0;
  for (const at of removed.toSorted((one, other) => one - other)) {
    rest += text.slice(from, at);
    from = at + 1;
  }
  return rest + text.slice(from);
};

/** How Slack writes a link. `<@U1|name>` is none. */
const PIPED = /<([^\s<>|@#!][^\s<>|]{0,2047})\|([^<>\n]{0,3000})>/gu;

/**
 * Markdown in which no link hides where it leads: `[Your bank](https://evil.example)` becomes
 * `Your bank (<https://evil.example>)`, a picture becomes its link, and characters that deceive are gone. What is
 * written so already stays as it is. Also in code, so that nobody has to agree with a platform about what is code.
 */
export const withVisibleLinks = (markdown: string): string =>
  // Definitions come last, because a target that is shown may end up in brackets.
  withoutDefinitions(
    withTargets(
      withoutDeceivingCharacters(markdown).replace(PIPED, (found, target: string, label: string) =>
        fits(MAY_LEAD, target, 0) ? spelledOut(label, target) : found,
      ),
    ),
  );

/** The same of a text that still grows, without a link at its end that is not whole yet. */
export const withVisibleLinksSoFar = (markdown: string): string => {
  const start = Math.max(markdown.lastIndexOf('\n\n'), markdown.length - MAX_TARGET - 300, 0);
  const tail = markdown.slice(start);
  const open = tail.search(/!?\[[^[\]]*$|!?\[[^[\]]*\](?:\([^)[]*)?$|<[^\s<>]*$|!$/u);
  return withVisibleLinks(open === -1 ? markdown : markdown.slice(0, start + open));
};

const endOf = (address: string): number => {
  let end = address.length;
  const hasBracket = address.includes('(');
  const isTrailing = (sign: string): boolean => TRAILING.has(sign) || (sign === ')' && !hasBracket);
  while (end > 0 && isTrailing(address.charAt(end - 1))) end -= 1;
  return end;
};

/** Every address in `<…>`: Discord shows no preview of such a link. Behind a backslash, `<` is text. */
export const withPointedAddresses = (markdown: string): string =>
  markdown.replace(ADDRESS, (address: string, at: number) => {
    const isPointed = markdown[at - 1] === '<' && markdown[at + address.length] === '>';
    if (isPointed && markdown[at - 2] !== '\\') return address;
    const end = endOf(address);
    const gap = markdown[at - 1] === '\\' ? ' ' : '';
    return `${gap}<${address.slice(0, end)}>${address.slice(end)}`;
  });

const POINTED = /<(https?:\/\/[^\s<>]{1,2048})>/giu;

/** Addresses without their scheme: to be read, but no links, also where one was hidden in another. */
export const withoutLinks = (markdown: string): string =>
  markdown
    .replaceAll(POINTED, '$1')
    .replaceAll(/https?:\/\//gi, '')
    .replaceAll(/(https?:)\/{2,}/gi, '$1');

/** A domain, or what a platform might read as one: a dot between a name and two letters of a script with domains. */
const DOMAIN =
  /[^.](?:\\?[.\u3002\uff0e\uff61]|&(?:#[0-9a-z]{1,8}|period);)(?:[a-z\u0370-\u0dff\u3040-\u9fff]{2}|한국|닷컴|닷넷|삼성)|\d{1,3}(?:\.\d{1,3}){3}[/:]/iu;
/** The code of a security at an exchange, such as `005930.KS`. */
const SECURITY_CODE = /^[A-Z0-9]{1,12}\.[A-Z]{2,3}$/;
/** Not seen, and the word around it is no domain. */
const SEAM = '\u2060';

const withoutAddress = (piece: string): string => {
  const start = Math.max(piece.search(/[\p{L}\p{N}]/u), 0);
  const rest = piece.slice(start);
  const address = rest.slice(0, endOf(rest));
  if (SECURITY_CODE.test(address)) return piece.replace('.', `.${SEAM}`);
  const isAddress = /https?:\/\//i.test(address) || DOMAIN.test(address);
  return isAddress ? `${piece.slice(0, start)}…${rest.slice(address.length)}` : piece;
};

/** For places that preview every address, also one without a scheme: each becomes `…`. */
export const withoutAddresses = (markdown: string): string =>
  markdown.replaceAll(POINTED, '…').replaceAll(/[^\s|<>]+/gu, withoutAddress);

/** The same of a text that still grows, without its last word: that may become an address yet. */
export const withoutAddressesSoFar = (markdown: string): string =>
  withoutAddresses(markdown.slice(0, Math.max(markdown.lastIndexOf(' '), markdown.lastIndexOf('\n')) + 1));
