/**
 * Invisible characters that make a text look like another one: direction marks, zero-width spaces, Hangul fillers.
 * Joiners stay because emoji and some scripts need them. A filler stays in an old Korean syllable, where it replaces a
 * missing letter.
 */
const DECEIVING =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2061-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\u115f(?![\u1161-\u11a7\ud7b0-\ud7c6])|(?<![\u1100-\u115e\ua960-\ua97c])\u1160(?![\u11a8-\u11ff\ud7cb-\ud7fb])/gu;
/** Blank letters and braille. They look like spaces, but an address would continue behind them. */
const SHAPELESS = /[\u2800\u3164\uffa0]/gu;

export const withoutDeceivingCharacters = (text: string): string =>
  text.replace(DECEIVING, '').replace(SHAPELESS, ' ');

const MAX_TARGET = 2_048;
const ADDRESS = /https?:\/\/[^\s<>]{1,2048}/giu;
const TRAILING: ReadonlySet<string> = new Set(`.,;:!?'"*_~\``);

/** The rest of a link behind `](`: the target, with at most one pair of brackets, and an optional title. */
const TARGET =
  /\s{0,50}(?:<([^<>\n]{1,2048})>|((?:[^\s()<>]|\([^\s()<>]{0,500}\)){1,2048}))(?:\s{1,4}["'(][^\n]{0,300}?["')])?\s{0,4}\)/uy;

/** The target behind `](` and its end; undefined if it is not a link. */
const targetAt = (
  text: string,
  open: number,
): { readonly target: string; readonly end: number } | undefined => {
  TARGET.lastIndex = open + 1;
  const found = TARGET.exec(text);
  const target = found?.[1] ?? found?.[2];
  return target === undefined ? undefined : { target, end: TARGET.lastIndex };
};

/** Not `arr[0](x)`. Platforms also link a domain without a scheme. */
const LEADS_SOMEWHERE = /\s{0,50}<?(?:\/\/|[a-z][a-z0-9+.-]{0,30}:|[^\s<>()&\\%]{1,2000}\.\p{L}{2})/iuy;
/**
 * A target that a platform might read as an address although it is not a plain one: `https&#58;//…`, `https\://…`, `/x`.
 * It may begin on the next line, behind a quote mark.
 */
const MAY_LEAD = /[\s[\]>]*(?:[^\s)[\]>][^\s)]{0,2047}?)?[(<:&\\/%.\u3002\uff0e\uff61]/y;

const fits = (pattern: RegExp, text: string, at: number): boolean => {
  pattern.lastIndex = at;
  return pattern.test(text);
};
const PLAIN_ADDRESS = /^https?:\/\/([a-z0-9.-]{1,255}(?::\d{1,5})?)(?:[/?#][^@]*)?$/i;

const isWebAddress = (url: URL | null): url is URL => url !== null && /^https?:$/.test(url.protocol);

/** Escapes markup in the shown target, which may contain a link itself. */
const asShown = (target: string): string =>
  target.replaceAll(/[<>]/g, '').replaceAll('](', ']%28').replaceAll('|', '%7C');

/** The effective address: an ASCII host without a user name that could look like a host. */
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

/** The label to show before the target; empty if it repeats the target. */
const wordsBefore = (label: string, target: string, host: string | undefined): string => {
  const words = bare(label.replaceAll(/[*_`~\\]/g, '').trim());
  return words === '' || words === bare(target) || words === host ? '' : label.trim();
};

const spelledOut = (label: string, target: string): string => {
  const { shown, host } = readTarget(target);
  const words = wordsBefore(label, target, host);
  return words === '' ? shown : `${words} (${shown})`;
};

/** Longer labels are not compared with their target. */
const MAX_COMPARED = 300;

/** Matches brackets in one pass, because they can be nested. */
const withTargets = (text: string): string => {
  if (!text.includes('](')) return text;
  const pieces: string[] = [];
  /** Open brackets: their position and the index of their piece. */
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
    // The `!` of an image is removed with its bracket.
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
        // The target is unclear, so it must not be a link: a space turns it into plain text.
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

/** Text behind the `]:` of a definition that a platform might read as an address. */
const DEFINED_TARGET = /[\s[\]>]{0,2048}(?:[^\s[\]>]\S{0,2047}?)?[:&\\/%.\u3002\uff0e\uff61]/y;
/** Quote and list marks, which may precede a definition. */
const BEFORE_DEFINITION = /[ \t>*+\d.)-]/;
const MAX_BEFORE_DEFINITION = 500;

const startsLine = (text: string, at: number): boolean => {
  const first = Math.max(0, at - MAX_BEFORE_DEFINITION);
  let start = at;
  while (start > first && BEFORE_DEFINITION.test(text.charAt(start - 1))) start -= 1;
  return start === 0 || text[start - 1] === '\n';
};

/**
 * Removes the brackets of definitions: `[name]: https://…` would give `[words][name]` elsewhere a hidden target. The
 * target may be on the next line. It uses a stack, because removing an inner definition can leave an outer one.
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

/** Slack's link syntax, without mentions such as `<@U1|name>`. */
const PIPED = /<([^\s<>|@#!][^\s<>|]{0,2047})\|([^<>\n]{0,3000})>/gu;

/**
 * Shows the target of every link: `[Your bank](https://evil.example)` becomes `Your bank (<https://evil.example>)`, an
 * image becomes its link, and deceptive characters are removed. Applying it again changes nothing. It also applies
 * within code, because platforms differ in what they treat as code.
 */
export const withVisibleLinks = (markdown: string): string =>
  // Definitions come last, because a shown target may end up in brackets.
  withoutDefinitions(
    withTargets(
      withoutDeceivingCharacters(markdown).replace(PIPED, (found, target: string, label: string) =>
        fits(MAY_LEAD, target, 0) ? spelledOut(label, target) : found,
      ),
    ),
  );

/** The same for a text that is still being written, without an incomplete link at its end. */
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

/** Puts every address into `<…>`, so that Discord shows no preview. Behind a backslash, `<` is text. */
export const withPointedAddresses = (markdown: string): string =>
  markdown.replace(ADDRESS, (address: string, at: number) => {
    const isPointed = markdown[at - 1] === '<' && markdown[at + address.length] === '>';
    if (isPointed && markdown[at - 2] !== '\\') return address;
    const end = endOf(address);
    const gap = markdown[at - 1] === '\\' ? ' ' : '';
    return `${gap}<${address.slice(0, end)}>${address.slice(end)}`;
  });

const POINTED = /<(https?:\/\/[^\s<>]{1,2048})>/giu;

/** Removes the scheme of all addresses, also of nested ones, so that they are readable but not links. */
export const withoutLinks = (markdown: string): string =>
  markdown
    .replaceAll(POINTED, '$1')
    .replaceAll(/https?:\/\//gi, '')
    .replaceAll(/(https?:)\/{2,}/gi, '$1');

/** A domain, or a text that a platform might link: a dot between a name and two letters of a script with domains. */
const DOMAIN =
  /[^.](?:\\?[.\u3002\uff0e\uff61]|&(?:#[0-9a-z]{1,8}|period);)(?:[a-z\u0370-\u0dff\u3040-\u9fff]{2}|한국|닷컴|닷넷|삼성)|\d{1,3}(?:\.\d{1,3}){3}[/:]/iu;
/** An exchange code such as `005930.KS`. */
const SECURITY_CODE = /^[A-Z0-9]{1,12}\.[A-Z]{2,3}$/;
/** An invisible character that prevents linking. */
const SEAM = '\u2060';

const withoutAddress = (piece: string): string => {
  const start = Math.max(piece.search(/[\p{L}\p{N}]/u), 0);
  const rest = piece.slice(start);
  const address = rest.slice(0, endOf(rest));
  if (SECURITY_CODE.test(address)) return piece.replace('.', `.${SEAM}`);
  const isAddress = /https?:\/\//i.test(address) || DOMAIN.test(address);
  return isAddress ? `${piece.slice(0, start)}…${rest.slice(address.length)}` : piece;
};

/** Replaces every address with `…`, for places that preview addresses even without a scheme. */
export const withoutAddresses = (markdown: string): string =>
  markdown.replaceAll(POINTED, '…').replaceAll(/[^\s|<>]+/gu, withoutAddress);

/** The same for a text that is still being written, without its last word, which may become an address. */
export const withoutAddressesSoFar = (markdown: string): string =>
  withoutAddresses(markdown.slice(0, Math.max(markdown.lastIndexOf(' '), markdown.lastIndexOf('\n')) + 1));
