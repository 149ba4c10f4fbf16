import type { Command } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import { asId, type ChannelId, type UserId } from '#src/kernel/ids.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import type { Pairing, Pairings } from '#src/kernel/people/pairing.ts';
import type { Notifier } from '#src/kernel/chat/notification.ts';
import { shortened } from '#src/kernel/text.ts';
import type { Uses } from '#src/platform/services.ts';
import { adminCommand, ephemeral } from '../shared/results.ts';

interface PairDeps extends Uses<'audit.record' | 'clock'> {
  readonly pairings: Pairings;
  readonly notifier: Notifier;
}

const REVOKE: ReadonlySet<string> = new Set(['revoke', '--revoke', '해제']);
const DENY: ReadonlySet<string> = new Set(['deny', '--deny', '거절']);
/** The limit of one message. Codes that are not shown work too. */
const MAX_SHOWN = 25;

const idOf = ({ channelId, userId }: Pairing): string => `${channelId}:${userId}`;

/** The chosen name of a person, in a code span so that it cannot be a link or mention. Only the id is reliable. */
const nameOf = ({ userName, userId }: Pairing): string =>
  `\`${(shortened(userName) || userId).replaceAll('`', "'")}\``;

const listPending = async ({ pairings, clock }: PairDeps, { locale }: TurnContext): Promise<string> => {
  const t = gateTexts(locale).pair;
  const pending = await pairings.pending();
  if (pending.length === 0) return t.nobody();
  const entries = pending.slice(0, MAX_SHOWN).map((pairing) => {
    const minutes = Math.max(1, Math.ceil(clock.now().until(pairing.expiresAt).total('minutes')));
    return `- ${t.entry({ code: pairing.code, name: nameOf(pairing), id: idOf(pairing), minutes })}`;
  });
  const left = pending.length - entries.length;
  const more = left > 0 ? [t.more({ count: left })] : [];
  return [t.waiting(), ...entries, ...more, '', t.howTo()].join('\n');
};

/** The decision holds even if the person cannot be notified. */
const isTold = async (notifier: Notifier, { target }: Pairing, text: string): Promise<boolean> => {
  try {
    return (await notifier.notify(target, { text, isSentAnyway: true })) === 'stored';
  } catch {
    return false;
  }
};

const confirm = async (
  { pairings, notifier, audit, clock }: PairDeps,
  code: string,
  { locale, senderId }: TurnContext,
): Promise<string> => {
  const t = gateTexts(locale).pair;
  const pairing = await pairings.confirm(code, senderId);
  if (!pairing) return t.unknown({ code: shortened(code) });
  await audit.record('pair', pairing, {}, clock.now());
  const person = { name: nameOf(pairing), id: idOf(pairing) };
  const welcome = gateTexts(pairing.locale).pair.welcome();
  return (await isTold(notifier, pairing, welcome)) ? t.done(person) : t.doneUntold(person);
};

/** Notifies the person, who would otherwise wait or ask again. */
const deny = async (
  { pairings, notifier, audit, clock }: PairDeps,
  code: string,
  { locale, senderId }: TurnContext,
): Promise<string> => {
  const t = gateTexts(locale).pair;
  if (code === '') return t.denyUsage();
  const pairing = await pairings.deny(code, senderId);
  if (!pairing) return t.unknown({ code: shortened(code) });
  await audit.record('pair-deny', pairing, {}, clock.now());
  await isTold(notifier, pairing, gateTexts(pairing.locale).pairingDenied());
  return t.denied({ name: nameOf(pairing), id: idOf(pairing) });
};

const PERSON = /^([^:\s]+):(\S+)$/;

const revoke = async (
  { pairings, audit, clock }: PairDeps,
  typed: string,
  { locale }: TurnContext,
): Promise<string> => {
  const t = gateTexts(locale).pair;
  const [id, channelId, userId] = PERSON.exec(typed) ?? [];
  if (id === undefined || channelId === undefined || userId === undefined) return t.revokeUsage();
  const person = { channelId: asId<ChannelId>(channelId), userId: asId<UserId>(userId) };
  if (!(await pairings.revoke(person.channelId, person.userId))) return t.notPaired({ id: shortened(id) });
  await audit.record('pair-revoke', person, {}, clock.now());
  return t.revoked({ id });
};

/** The argument of a verb; undefined if the verb was not used. */
const objectOf = (
  verbs: ReadonlySet<string>,
  [first = '', ...rest]: readonly string[],
  flag: string | true | undefined,
): string | undefined => {
  if (typeof flag === 'string') return flag;
  if (flag) return [first, ...rest].join('');
  return verbs.has(first.toLowerCase()) ? rest.join('') : undefined;
};

export const pairDefinition: CommandDefinition = {
  name: 'pair',
  aliases: ['페어링'],
  description: {
    ko: '다이렉트 메시지 사용을 요청한 사람을 보고 승인하거나 거절하거나 취소합니다',
    en: 'manages access to direct messages',
  },
  usage: {
    ko: '/pair [<코드> | deny <코드> | revoke <채널:사용자>]',
    en: '/pair [<code> | deny <code> | revoke <channel:user>]',
  },
  category: 'admin',
  requiredRoles: ['admin'],
  options: [
    {
      name: 'code',
      nameKo: '코드',
      description: {
        ko: '승인하거나 거절할 코드, 취소할 때는 채널:사용자',
        en: 'the code to confirm or decline; with revoke the person as channel:user',
      },
      type: 'text',
    },
    {
      name: 'deny',
      nameKo: '거절',
      description: { ko: '이 코드의 요청을 거절합니다', en: 'declines the request with this code' },
      type: 'flag',
    },
    {
      name: 'revoke',
      nameKo: '해제',
      description: { ko: '승인을 취소합니다', en: 'takes it back' },
      type: 'flag',
    },
  ],
  isPrivate: true,
};

export const pair = (deps: PairDeps): Command =>
  adminCommand(pairDefinition, async (args, ctx, _signal, flags) => {
    const tokens = args.map((arg) => arg.replaceAll('`', '').trim());
    const revoked = objectOf(REVOKE, tokens, flags?.get('revoke'));
    if (revoked !== undefined) return ephemeral(await revoke(deps, revoked, ctx));
    const denied = objectOf(DENY, tokens, flags?.get('deny'));
    if (denied !== undefined) return ephemeral(await deny(deps, denied, ctx));
    const code = tokens.join('');
    return ephemeral(code === '' ? await listPending(deps, ctx) : await confirm(deps, code, ctx));
  });
