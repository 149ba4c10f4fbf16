import type { Command, CommandDefinition, CommandResult } from '#src/core/command.ts';
import { texts } from '#src/core/i18n.ts';
import { asId, type ChannelId, type UserId } from '#src/core/ids.ts';
import type { MsgContext } from '#src/core/message.ts';
import type { Pairing, Pairings } from '#src/core/operations.ts';
import type { Notifier } from '#src/core/ports.ts';
import { shortened } from '#src/core/text.ts';
import type { Clock } from '#src/infra/clock.ts';

export interface PairDeps {
  readonly pairings: Pairings;
  readonly notifier: Notifier;
  readonly clock: Clock;
}

const REVOKE: ReadonlySet<string> = new Set(['revoke', '--revoke', '해제']);

const idOf = ({ channelId, userId }: Pairing): string => `${channelId}:${userId}`;

/** A name is what the person calls themselves: the id beside it is what the platform vouches for. */
const nameOf = ({ userName, userId }: Pairing): string => shortened(userName) || userId;

const listPending = async ({ pairings, clock }: PairDeps, { locale }: MsgContext): Promise<string> => {
  const words = texts(locale).gates.pair;
  const pending = await pairings.pending();
  if (pending.length === 0) return words.nobody();
  const entries = pending.map((pairing) => {
    const minutes = Math.max(1, Math.ceil(clock.now().until(pairing.expiresAt).total('minutes')));
    return `- ${words.entry({ code: pairing.code, name: nameOf(pairing), id: idOf(pairing), minutes })}`;
  });
  return [words.waiting(), ...entries, '', words.howTo()].join('\n');
};

/** In the person's own language. They are let in whether or not word reaches them. */
const isTold = async (notifier: Notifier, { target, locale }: Pairing): Promise<boolean> => {
  try {
    return (await notifier.notify(target, { text: texts(locale).gates.pair.welcome() })) === 'stored';
  } catch {
    return false;
  }
};

const confirm = async (
  { pairings, notifier }: PairDeps,
  code: string,
  { locale, senderId }: MsgContext,
): Promise<string> => {
  const words = texts(locale).gates.pair;
  const pairing = await pairings.confirm(code, senderId);
  if (!pairing) return words.unknown({ code: shortened(code) });
  const person = { name: nameOf(pairing), id: idOf(pairing) };
  return (await isTold(notifier, pairing)) ? words.done(person) : words.doneUntold(person);
};

const PERSON = /^([^:\s]+):(\S+)$/;

const revoke = async ({ pairings }: PairDeps, typed: string, { locale }: MsgContext): Promise<string> => {
  const words = texts(locale).gates.pair;
  const [id, channelId, userId] = PERSON.exec(typed) ?? [];
  if (id === undefined || channelId === undefined || userId === undefined) return words.revokeUsage();
  const isTakenBack = await pairings.revoke(asId<ChannelId>(channelId), asId<UserId>(userId));
  return isTakenBack ? words.revoked({ id }) : words.notPaired({ id: shortened(id) });
};

/** Whom to take the word back from; undefined where that was not asked for. */
const revokedIn = (
  [first = '', ...rest]: readonly string[],
  flag: string | true | undefined,
): string | undefined => {
  if (typeof flag === 'string') return flag;
  if (flag) return [first, ...rest].join('');
  return REVOKE.has(first.toLowerCase()) ? rest.join('') : undefined;
};

export const pairDefinition: CommandDefinition = {
  name: 'pair',
  aliases: ['페어링'],
  description: {
    ko: '1:1 대화를 요청한 사용자를 보고 승인하거나 취소합니다',
    en: 'shows who asks to write to the bot directly, lets them in or takes it back',
  },
  usage: {
    ko: '/pair [<코드> | revoke <채널:사용자>]',
    en: '/pair [<code> | revoke <channel:user>]',
  },
  category: 'admin',
  requiredRoles: ['admin'],
  options: [
    {
      name: 'code',
      nameKo: '코드',
      description: {
        ko: '승인할 코드, 취소할 때는 채널:사용자',
        en: 'the code to confirm; with revoke the person as channel:user',
      },
      type: 'text',
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

const personal = (content: string): CommandResult => ({ content, ephemeral: true });

export const pair = (deps: PairDeps): Command => ({
  definition: pairDefinition,
  execute: async (args, ctx, _signal, flags) => {
    // A role of the platform that happens to be called "admin" opens the command, but lets nobody in.
    if (!ctx.isAdmin) return personal(texts(ctx.locale).missingRole({ name: pairDefinition.name }));
    const words = args.map((arg) => arg.replaceAll('`', '').trim());
    const revoked = revokedIn(words, flags?.get('revoke'));
    if (revoked !== undefined) return personal(await revoke(deps, revoked, ctx));
    const code = words.join('');
    return personal(code === '' ? await listPending(deps, ctx) : await confirm(deps, code, ctx));
  },
});
