import { datesIn } from '#src/reading/dates.ts';
import { foldWidth, withoutReadings } from '#src/reading/reading.ts';
import { timesIn } from '#src/reading/times.ts';
import { minutesOf, readSpan } from '#src/reading/spans.ts';
import { readAlert, type ReadAlert } from '#src/features/alerts/conditions/read-condition.ts';
import type { SetAlertInput } from '#src/features/alerts/condition-input.ts';
import type { Decimal } from '#src/kernel/money.ts';
import { type Call, call, type Intent } from './intent.ts';
import { isTakeable, type Lookup, namesIn } from './lookup.ts';

/** Asks to be told under a condition, or names an alert. */
const IS_TOLD =
  /(?:면|때|때마다|시)\s*(?:나\s?한테\s?|저한테\s?|꼭\s?|바로\s?|좀\s?|여기\p{L}{0,3}\s?){0,2}(?:알려|알림|말해|얘기해|연락|메시지|메세지|카톡|톡\s?줘|불러|깨워)|알림\s?(?:을\s?)?(?:설정|등록|추가|걸어|만들어|맞춰|해|줘|부탁|$)/u;
const IS_TOLD_EN =
  /\b(?:(?:tell|notify|ping|warn|message|text|let|remind) me\b.{0,60}\b(?:when|if|once|as soon as|whenever|every time|each time)|(?:alert|notify|ping|warn) me|(?:set|create|add|make)(?: up)? (?:an? )?(?:new )?(?:price )?alert|price alert)\b|^alert\s/iu;
/** Names an alert, so that it can be nothing else. */
const IS_NAMED =
  /알림\s?(?:을\s?)?(?:설정|등록|추가|걸어|만들어|맞춰)|\b(?:set|create|add|make)(?: up)? (?:an? )?(?:new )?(?:price )?alert\b/iu;
const WORDS =
  /알림\p{L}{0,20}(?:\s?(?:설정|등록|추가|걸어|만들어|맞춰|해|부탁)\p{L}{0,20})?|해\s?(?:줘|주세요)|\b(?:please|set(?: up)?|create|add|make|an?|new|price|alert|for|on)\b/giu;
/** Two conditions in one sentence; no guess is made which one is meant. */
const HAS_TWO =
  /넘거나|이거나|되거나|또는|혹은|하거나|\bor (?:below|above|under|over|drops?|falls?|rises?)\b/iu;

type ReadCondition = Extract<ReadAlert, { readonly status: 'read' }>;

const DEFAULT_RSI_DAYS = 14;

const signedDirection = ({ isSigned, value }: { readonly isSigned: boolean; readonly value: Decimal }) =>
  isSigned ? (value.isNegative() ? 'down' : 'up') : undefined;

const conditionInput = (draft: ReadCondition['draft']): Partial<SetAlertInput> | undefined => {
  switch (draft.kind) {
    case 'price': {
      const { value, currency, isKorean } = draft.amount;
      const condition =
        draft.side === 'reach' ? 'reaches' : (draft.side.replace('-', '_') as SetAlertInput['condition']);
      // 만 is kept, because it means won for a coin.
      const number =
        isKorean && currency === undefined ? `${value.dividedBy('1e4').toFixed()}만` : value.toFixed();
      return { condition, value: currency === undefined ? number : `${number} ${currency}` };
    }
    case 'percent': {
      const { amount, since, side } = draft;
      const direction =
        draft.direction ?? signedDirection(amount) ?? (side?.endsWith('above') ? 'up' : 'either');
      if (side?.endsWith('below') && direction !== 'down') return undefined;
      const condition = { up: 'rises_percent', down: 'falls_percent', either: 'moves_percent' } as const;
      return {
        condition: condition[direction],
        value: amount.value.abs().toFixed(),
        ...(since === 'set' && { fromNow: true }),
      };
    }
    case 'rsi':
      return {
        condition: `rsi_${draft.side}`,
        value: draft.level.toFixed(),
        ...(draft.period !== DEFAULT_RSI_DAYS && { days: String(draft.period) }),
      };
    case 'ma-cross': {
      const isUp = draft.direction === 'up';
      if (draft.fast === 1)
        return { condition: isUp ? 'price_above_average' : 'price_below_average', value: String(draft.slow) };
      const isUsual = draft.fast === 50 && draft.slow === 200;
      return {
        condition: isUp ? 'golden_cross' : 'death_cross',
        ...(!isUsual && { days: `${draft.fast}/${draft.slow}` }),
      };
    }
    case 'year-high':
      return { condition: 'year_high' };
    case 'year-low':
      return { condition: 'year_low' };
    case 'volume':
      return draft.multiple.greaterThan(0)
        ? { condition: 'volume_times', value: draft.multiple.toFixed() }
        : undefined;
    case 'news':
      return { condition: 'news', ...(draft.keyword !== '' && { keyword: draft.keyword }) };
    case 'ma-either':
      return undefined;
  }
  return draft satisfies never;
};

/** The input of `set_alert` for what a person wrote; undefined if the tool cannot express it. Reverses `conditionText`. */
const alertInput = ({
  draft,
  options,
}: ReadCondition): Omit<Partial<SetAlertInput>, 'symbol'> | undefined => {
  const condition = conditionInput(draft);
  const cooldown = options.cooldown === undefined ? undefined : readSpan(options.cooldown);
  return (
    condition && {
      ...condition,
      ...(options.isRepeating && { repeat: true }),
      ...(cooldown && { cooldownMinutes: Math.round(minutesOf(cooldown.value)) }),
      ...(options.expires !== undefined && { expires: options.expires }),
      ...(options.usesExtendedHours && { extendedHours: true }),
      ...(options.place === 'here' && { here: true }),
    }
  );
};

/** Moves an end date behind the name, where the alert reader expects options: `이번 주까지 애플 …`. */
const withEndBehind = (text: string, today: Temporal.PlainDate): string => {
  const [first] = datesIn(text, today, { looks: 'ahead' });
  if (first?.start !== 0 || first.value.status !== 'date' || first.value.bound !== 'until') return text;
  return `${text.slice(first.end).trim()} ${text.slice(0, first.end).trim()}`;
};

/** Separates two targets: `290 밑이나 320 위로`, `떨어지거나`, `below 290 or above 320`. */
const JOINT = /(?<ending>거나|이나|(?<=[밑래하위상])나)\s|\s(?:또는|혹은|아니면|or)\s/iu;
/** Endings that make the first half a condition. */
const ENDINGS = ['면', '으로 가면', '이면', ''];

/** Two targets become two alerts with the same options. Empty where there are not two, or one is unclear. */
export const readAlertPair = (
  written: string,
  lookup: Lookup,
  today: Temporal.PlainDate | undefined,
): readonly Call[] => {
  const trimmed = foldWidth(written).trim();
  const text = today ? withEndBehind(trimmed, today) : trimmed;
  const joint = JOINT.exec(text);
  if (!joint || !(IS_TOLD.test(text) || IS_TOLD_EN.test(text))) return [];
  const [left, right] = [text.slice(0, joint.index).trim(), text.slice(joint.index + joint[0].length).trim()];
  const first = ENDINGS.map((ending) => readAlert(`${left}${ending}`)).find(
    ({ status }) => status === 'read',
  );
  if (first?.status !== 'read') return [];
  const [name, ...more] = namesIn(first.name, lookup) ?? [];
  const second = readAlert(`${first.name} ${right}`);
  if (name === undefined || more.length > 0 || second.status !== 'read' || second.name !== first.name)
    return [];
  const options = { ...first.options, ...second.options };
  const inputs = [first, second].map((read) => alertInput({ ...read, options }));
  return inputs.every((input) => input !== undefined)
    ? inputs.map((input) => call('set_alert', { symbol: name, ...input }))
    : [];
};

/**
 * Reads `AAPL 200 넘으면 알려줘` or `alert me if NVDA RSI drops below 30` as `/alert` does. Without a name it is about the
 * last names. The intent is `alert` where the condition is missing and `which` where the name is; null for other text.
 */
export const readAlertSentence = (
  written: string,
  lookup: Lookup,
  last: readonly string[],
  today: Temporal.PlainDate | undefined,
): Intent | null => {
  const text = foldWidth(written)
    .trim()
    .replace(/^(?:오늘만|today only)\s(?<rest>.*)$/isu, '$<rest> 오늘까지');
  if (!(IS_TOLD.test(text) || IS_TOLD_EN.test(text)) || HAS_TWO.test(text)) return null;
  const ordered = today ? withEndBehind(text, today) : text;
  const read = readAlert(ordered);
  if (read.status === 'range')
    return namesIn(read.name, lookup, true)?.length === 1 ? { kind: 'alert' } : null;
  if (read.status === 'read') {
    const [name, ...more] = namesIn(read.name, lookup) ?? [];
    const input = alertInput(read);
    if (name !== undefined && more.length === 0)
      return input ? call('set_alert', { symbol: name, ...input }) : { kind: 'alert' };
  }
  // Without a name, as in `8만원 되면 알려줘`, a bare number may be a time of day.
  const before = last.find(isTakeable);
  const carried = readAlert(`${before ?? 'X'} ${ordered}`);
  if (carried.status === 'read' && carried.name === (before ?? 'X')) {
    const input = alertInput(carried);
    const isClear = carried.draft.kind !== 'price' || carried.draft.amount.unit === 'money';
    if (input && isClear)
      return before === undefined ? { kind: 'which' } : call('set_alert', { symbol: before, ...input });
  }
  if (!IS_NAMED.test(text)) return null;
  return (namesIn(text.replaceAll(WORDS, '\n'), lookup)?.length ?? 2) <= 1 ? { kind: 'alert' } : null;
};

const REMINDS = /^(?:please )?remind me (?:to |about |that )?(?<what>\S.*)$/isu;
/** The time of a reminder that names only a day. */
const MORNING = '09:00';

/** A reminder at a time, not a wish for advice: `remind me to sell apple on friday`. */
export const readReminder = (written: string, today: Temporal.PlainDate | undefined): Call | null => {
  const what = REMINDS.exec(written.trim())?.groups?.['what'];
  if (what === undefined || !today || IS_TOLD_EN.test(written)) return null;
  const [date] = datesIn(what, today, { looks: 'ahead' });
  const dated = date ? withoutReadings(what, [date]) : what;
  const [time] = timesIn(dated);
  const isDay = date?.value.status === 'date' && date.value.precision === 'day';
  if ((date && !isDay) || (!date && !time)) return null;
  const day = date?.value.status === 'date' ? date.value.first : today;
  if (!time && day.equals(today)) return null;
  const rest = time ? withoutReadings(dated, [time]) : dated;
  const text = rest
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replace(/ (?:on|at|by)$/iu, '');
  const at = `${day.toString()}T${time?.value.time.toString({ smallestUnit: 'minute' }) ?? MORNING}`;
  return text === '' ? null : call('notify', { text, at });
};
