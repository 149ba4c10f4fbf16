import { replaceInSteps, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { withoutKeys } from '#src/platform/text/mask-secrets.ts';

const SECRET = '[secret]';

/**
 * Tokens with a known prefix. No token may start inside a longer word, and no text is read twice, so that a hostile
 * text cannot make the search slow.
 */
const TOKENS = new RegExp(
  [
    '(?<![\\w-])(?:AKIA|ASIA(?=[A-Z0-9]{0,15}\\d))[A-Z0-9]{16}(?![A-Za-z0-9])',
    '(?<!\\w)gh[pousr]_[A-Za-z0-9]{20,}',
    '(?<!\\w)github_pat_\\w{20,}',
    '(?<![\\w-])glpat-[\\w-]{20,}',
    '(?<!\\w)npm_[A-Za-z0-9]{30,}',
    '(?<!\\w)hf_[A-Za-z0-9]{30,}',
    '(?<!\\w)[rs]k_(?:live|test)_\\w{16,}',
    '(?<![\\w-])AIza[\\w-]{35,}',
    '(?<![\\w-])GOCSPX-[\\w-]{20,}',
    '(?<!\\w)ya29\\.[\\w-]{20,}',
    '(?<!\\w)SG\\.[\\w-]{16,}\\.[\\w-]{16,}',
    // A JSON web token has three parts, the first of which is an object.
    '(?<![\\w-])eyJ[\\w-]{8,}\\.[\\w-]{8,}\\.[\\w-]{8,}',
    // Telegram tokens begin with the id of the bot.
    '(?<!\\w)\\d{8,10}:AA[\\w-]{33}(?!\\w)',
  ].join('|'),
  'g',
);

/** Discord tokens begin with the id of the bot in base64. */
const DISCORD = /(?<![\w-])[MNO][\w-]{23,27}\.[\w-]{6,7}\.[\w-]{27,}/g;

/** Possible keys of model providers and Slack, which `withoutKeys` confirms. */
const POSSIBLE_KEY = /(?<![\w-])(?:sk|xox[abeprs]|xapp)-[\w-]{10,}/g;

const WEBHOOK = /(hooks\.slack\.com\/services|discord(?:app)?\.com\/api\/webhooks\/\d{1,20})\/[\w/-]{20,}/g;
const BEARER = /\b(Bearer\s{1,3})(?=[\w.~+/=-]{0,80}\d)[\w.~+/=-]{16,}/gi;
const BASIC = /\b(Authorization["']?\s{0,3}:\s{0,3}["']?Basic\s{1,3})[\w+/=-]{6,}/gi;
const URL_PASSWORD = /(:\\?\/\\?\/[^\s:/@]{0,100}:)[^\s/]{1,200}(?=@)/g;
const URL_TOKEN =
  /([?&](?:token|key|sig|signature)=)(?=[^&\s"'#]{0,60}\d)(?=[^&\s"'#]{0,60}[a-z])[^&\s"'#]{16,}/gi;

/** A key without its end line is masked as far as its lines look like a key. */
const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]*(?:-{1,4}[^-]+)*-----END [^-\n]{0,60}-----|(?:[A-Za-z0-9+/=]{16,})?(?:(?:\s|\\[nr]){1,8}[A-Za-z0-9+/=]{16,})*)/g;

const PASSWORD_NAME = 'pass(?:word|wd|phrase|code)|(?<![a-z])pwd|비밀\\s?번호|패스워드';
const KEY_NAME = [
  '(?:api|app|access|secret|private|service|client|auth|crtfc|consumer|signing|encryption|license)[-_ ]?key',
  '(?:api|app|client|consumer|access)[-_ ]?secret',
  '(?:api|access|refresh|auth|bearer|bot|id|session|oauth|secret)[-_ ]?token',
  '(?:인증|시크릿|비밀|앱|api)\\s?키',
].join('|');
const LABEL = `(?<password>${PASSWORD_NAME})|(?<key>${KEY_NAME})|(?<secret>(?<![a-z])secret)`;

/** Matches `name = value`, `"name": "value"` and "비밀번호는 …". */
const LABELLED = new RegExp(
  `(?:${LABEL})(?<sign>["'\`*\\\\]{0,4}\\s{0,4}(?:[:=：>]|는|은)\\s{0,4}[*\`]{0,2}\\\\?)` +
    '(?:"(?<double>[^"\\n\\\\]+)|\'(?<single>[^\'\\n\\\\]+)|(?<bare>[^\\s"\'`,&<\\\\]+))',
  'gi',
);

/** Values after such a name that are no secrets. */
const NO_VALUE =
  /^(?:true|false|null|undefined|none|yes|no|required|optional|missing|invalid|incorrect|wrong|expired|changed|reset|not|must|is|string|number|필수|없음|오류|변경|만료|[*x•.\-_]+|<.*|\$\{.*|\[secret\].*|%s|\{.*)[.!,;]?$/i;

const MIN_KEY_LENGTH = 8;
const LONG_KEY_LENGTH = 16;

type LabelKind = 'password' | 'key' | 'secret';

/** A key has digits. A password may be any word if its value is explicit; otherwise it may be prose after a colon. */
const isSecretValue = (kind: LabelKind, value: string, isExplicit: boolean): boolean => {
  if (value.length < 4 || NO_VALUE.test(value)) return false;
  const hasDigit = /\d/.test(value);
  if (kind === 'password') return isExplicit || (hasDigit && /^[\x21-\x7e]{4}/.test(value));
  if (kind === 'key') return isExplicit ? value.length >= 6 : hasDigit && value.length >= MIN_KEY_LENGTH;
  return value.length >= LONG_KEY_LENGTH && hasDigit;
};

const maskLabelled = (text: string): Steps<string> =>
  replaceInSteps(text, LABELLED, ({ 0: whole, index, groups = {} }) => {
    const value = groups['double'] ?? groups['single'] ?? groups['bare'] ?? '';
    const kind = groups['password'] ? 'password' : groups['key'] ? 'key' : 'secret';
    const sign = groups['sign'] ?? '';
    // A single word up to the end of the line is a value; `password: use a long one` is advice.
    const end = text.charAt(index + whole.length);
    const endsLine = /[:：]/.test(sign) && (end === '' || end === '\n');
    const isExplicit = groups['bare'] === undefined || /[=>]/.test(sign) || endsLine;
    return isSecretValue(kind, value, isExplicit) ? whole.slice(0, -value.length) + SECRET : whole;
  });

/** No word is longer, and checking one that is takes long, so it is masked unchecked. */
const MAX_CHECKED_CHARS = 1_000;

const maskPossibleKeys = (text: string): Steps<string> =>
  replaceInSteps(text, POSSIBLE_KEY, ({ 0: found }) =>
    found.length <= MAX_CHECKED_CHARS && withoutKeys(found) === found ? found : SECRET,
  );

interface Step {
  /** A fast check that lets most texts skip the step. */
  readonly mayApply: (text: string, lowerCase: string) => boolean;
  readonly mask: (text: string) => Steps<string> | string;
}

const holdsAny = (text: string, hints: readonly string[]): boolean => {
  for (const hint of hints) if (text.includes(hint)) return true;
  return false;
};

const TOKEN_HINTS = ['AKIA', 'ASIA', 'glpat-', 'AIza', 'GOCSPX-', 'ya29.', 'SG.', 'yJ', ':AA'];
/** Searches for the underscore, which is rare, and only there for the prefix before it. */
const UNDERSCORED = /_(?<=(?:gh[pousr]|github_pat|npm|hf|k_live|k_test)_)/;
const NAME_HINTS = ['pass', 'pwd', 'key', 'secret', 'token', '키', '비밀', '패스워드'];

const STEPS: readonly Step[] = [
  {
    mayApply: (text) => text.includes('PRIVATE KEY'),
    mask: (text) => text.replace(PRIVATE_KEY, SECRET),
  },
  {
    mayApply: (_text, lowerCase) => holdsAny(lowerCase, ['hooks.slack.com', '/api/webhooks/']),
    mask: (text) => text.replace(WEBHOOK, `$1/${SECRET}`),
  },
  {
    mayApply: (text) => holdsAny(text, TOKEN_HINTS) || UNDERSCORED.test(text),
    mask: (text) => text.replace(TOKENS, SECRET),
  },
  {
    mayApply: (text) => /\.[\w-]{6,7}\.[\w-]{27}/.test(text),
    mask: (text) => text.replace(DISCORD, SECRET),
  },
  {
    mayApply: (_text, lowerCase) => lowerCase.includes('-') && holdsAny(lowerCase, ['sk-', 'xox', 'xapp-']),
    mask: maskPossibleKeys,
  },
  {
    mayApply: (_text, lowerCase) => holdsAny(lowerCase, ['bearer ', 'authorization']),
    mask: (text) => text.replace(BEARER, `$1${SECRET}`).replace(BASIC, `$1${SECRET}`),
  },
  {
    mayApply: (text) => text.includes('@'),
    mask: (text) => text.replace(URL_PASSWORD, `$1${SECRET}`),
  },
  {
    mayApply: (_text, lowerCase) =>
      lowerCase.includes('=') && holdsAny(lowerCase, ['token=', 'key=', 'sig=', 'signature=']),
    mask: (text) => text.replace(URL_TOKEN, `$1${SECRET}`),
  },
  { mayApply: (_text, lowerCase) => holdsAny(lowerCase, NAME_HINTS), mask: maskLabelled },
];

/** Masks keys, tokens and passwords by their form or by the name before them. */
export const maskSecrets = function* (text: string): Steps<string> {
  const lowerCase = text.toLowerCase();
  let masked = text;
  for (const step of STEPS) {
    if (!step.mayApply(text, lowerCase)) continue;
    const changed = step.mask(masked);
    masked = typeof changed === 'string' ? changed : yield* changed;
    yield;
  }
  return masked;
};

/** True for escape sequences too, because JSON may escape a name: "\ube44\ubc00". */
export const mayHoldSecrets = (text: string): boolean => {
  const lowerCase = text.toLowerCase();
  return (
    STEPS.some(({ mayApply }) => mayApply(text, lowerCase)) || holdsAny(lowerCase, ['authorization', '\\u'])
  );
};

const SECRET_NAME = new RegExp(`(?:${LABEL}|authorization)$`, 'i');

/** Whether the name of a JSON value announces a secret. */
export const isNamedSecret = (name: string, value: string): boolean => {
  const named = SECRET_NAME.exec(name);
  if (!named) return false;
  const kind = named.groups?.['key'] ? 'key' : named.groups?.['secret'] ? 'secret' : 'password';
  return isSecretValue(kind, value, true);
};
