import type { AlertPlace, SetAlertRequest } from '#src/core/personal-desk.ts';
import { DATE, DAY_NAME, SPAN } from './read-span.ts';

/** What is said beside the condition, as it was written. */
export interface AlertOptions {
  readonly isRepeating?: boolean;
  readonly cooldown?: string;
  readonly expires?: string;
  readonly usesExtendedHours?: true;
  readonly place?: AlertPlace;
}

const BEGIN = String.raw`(?<=\s)(?:--)?`;
const END = String.raw`(?=\s|$)`;
const WHEN = `(?:${DATE}|${SPAN}|${DAY_NAME})`;

/** Never the first word: that is a name. */
const option = (pattern: string): RegExp => new RegExp(`${BEGIN}(?:${pattern})${END}`, 'iu');

const COOLDOWN = option(
  String.raw`(?:cool-?down|쿨다운|최소 ?간격|간격|(?:at most )?every) ?[=:]? ?(${SPAN})|(${SPAN}) ?(?:마다|간격으로)`,
);
const EXPIRES = option(
  String.raw`(?:expires?|expiry|until|만료|기한)(?: (?:in|on|at))? ?[=:]? ?(${WHEN})(?: ?까지)?|(${WHEN}) ?까지(?:만)?|for (${SPAN})|(${SPAN}) ?(?:동안|간)`,
);
const REPEATS = option(
  'repeat(?:s|ing|ed)?|recurring|every ?time|each ?time|always|반복(?:해서|으로)?|매번|항상|(?:올|될|할)? ?때 ?마다',
);
/** Every time, and no more than once a day. */
const DAILY = option('daily|every ?day|each ?day|매일|날마다');
const A_DAY = '1d';
const ONCE = option('once|한 ?번만?|1회');
const EXTENDED = option('extended(?:[ -]?hours)?|after[ -]?hours|pre[ -]?market|시간 ?외(?: ?포함)?|장전');
const DIRECT = option('dm(?:으로)?|privately|in private|개인 ?메시지로?|디엠(?:으로)?');

const HERE = option(
  'here|in (?:this|the) channel|여기(?:에서?|서|로)?|이곳(?:에서?|으로)?|이 ?채널(?:에서?|로)?',
);

const valueOf = (found: RegExpExecArray | null): string | undefined =>
  found?.slice(1).find((value) => value !== undefined);

/** Takes the options out of the words. */
export const takeOptions = (text: string): { readonly rest: string; readonly options: AlertOptions } => {
  let rest = ` ${text}`;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const found = pattern.exec(rest);
    if (found) rest = `${rest.slice(0, found.index)} ${rest.slice(found.index + found[0].length)}`;
    return found;
  };
  // The first word stays where it is, with the blank that was put before it.
  const [first = ''] = /^\s*\S+/u.exec(rest) ?? [];
  rest = rest.slice(first.length);
  const isDaily = take(DAILY) !== null;
  const cooldown = valueOf(take(COOLDOWN)) ?? (isDaily ? A_DAY : undefined);
  const expires = valueOf(take(EXPIRES));
  const repeats = take(REPEATS) !== null || cooldown !== undefined;
  const isOnce = take(ONCE) !== null;
  const isExtended = take(EXTENDED) !== null;
  const isDirect = take(DIRECT) !== null;
  const isHere = take(HERE) !== null;
  return {
    rest: `${first}${rest}`.replaceAll(/\s+/gu, ' ').trim(),
    options: {
      ...((repeats || isOnce) && { isRepeating: repeats && !isOnce }),
      ...(cooldown !== undefined && { cooldown }),
      ...(expires !== undefined && { expires }),
      ...(isExtended && { usesExtendedHours: true }),
      ...((isDirect || isHere) && { place: isDirect ? 'direct' : 'here' }),
    },
  };
};

/** The same as flags, behind a condition that is to be typed again. */
export const flagsOf = (request: SetAlertRequest): string =>
  [
    ...(request.isRepeating ? [' --repeat'] : []),
    ...(request.cooldownMinutes === undefined ? [] : [` --cooldown=${request.cooldownMinutes}m`]),
    ...(request.expires === undefined ? [] : [` --expires=${request.expires}`]),
    ...(request.usesExtendedHours ? [' --extended'] : []),
    ...(request.place === undefined ? [] : [request.place === 'here' ? ' --here' : ' --dm']),
    ...(request.isSure ? [' --yes'] : []),
  ].join('');
