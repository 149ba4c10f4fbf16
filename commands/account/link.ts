import type { Command, CommandResult } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import { countAmounts } from '#src/kernel/people/texts/privacy.ts';
import { identityTexts } from '#src/kernel/people/texts/identity.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import {
  type Identities,
  identityName,
  identityNames,
  type LinkParty,
  type LinkSplit,
  portfolioNames,
} from '#src/kernel/people/identity.ts';
import {
  type ChatType,
  type Choice,
  type TurnContext,
  type ReplyTarget,
  replyTargetOf,
  placeOf,
} from '#src/kernel/chat/message.ts';
import { formatCount } from '#src/kernel/money.ts';
import type { PersonRef } from '#src/kernel/ids.ts';
import type { Uses } from '#src/platform/services.ts';
import { usageOf } from '../shared/results.ts';

interface LinkDeps extends Uses<'clock'> {
  readonly identities: Identities;
  /** The direct chat with a person; undefined if the channel cannot open one. */
  readonly directTarget: (target: ReplyTarget, chatType: ChatType) => Promise<ReplyTarget | undefined>;
}

const OFF: ReadonlySet<string> = new Set(['off', 'unlink', '해제', '끊기']);
/** With or without the dash of the shown code. */
const CODE = /^[a-z0-9]{4}[\s\p{Pd}]*[a-z0-9]{4}$/iu;
const NO: ReadonlySet<string> = new Set(['no', 'cancel', '아니요', '아니오', '취소']);
const YES = 'yes';

export const linkDefinition: CommandDefinition = {
  name: 'link',
  aliases: ['연결'],
  description: {
    ko: 'Discord와 Slack 계정을 연결해 포트폴리오를 함께 사용합니다',
    en: 'links your Discord and Slack accounts',
  },
  usage: { ko: '/link [<코드> | off]', en: '/link [<code> | off]' },
  category: 'general',
  options: [
    {
      name: 'code',
      nameKo: '코드',
      description: {
        ko: '다른 플랫폼에서 받은 코드, 해제하려면 off. 비워 두면 코드를 드립니다',
        en: 'the code from your other platform, or off; leave it out to get one',
      },
      type: 'text',
    },
    {
      name: 'yes',
      nameKo: '확인',
      description: { ko: '확인 질문에 동의합니다', en: 'confirms in advance what would be asked' },
      type: 'flag',
    },
  ],
  isPrivate: true,
};

const ephemeral = (paragraphs: readonly string[], choices: readonly Choice[] = []): CommandResult => ({
  content: paragraphs.join('\n\n'),
  ephemeral: true,
  ...(choices.length > 0 ? { choices } : {}),
});

const senderOf = ({ channelId, senderId }: TurnContext): PersonRef => ({ channelId, userId: senderId });

/** The identity with the chat in which it is notified about later changes of the link. */
const partyOf = async ({ directTarget }: LinkDeps, ctx: TurnContext): Promise<LinkParty> => {
  const target = replyTargetOf({ ...ctx, threadId: ctx.messageThreadId });
  const direct = await directTarget(target, ctx.chatType).catch(() => undefined);
  return {
    ...senderOf(ctx),
    name: ctx.senderName,
    locale: ctx.locale,
    ...(direct ? { target: placeOf(direct) } : {}),
  };
};

const show = async (deps: LinkDeps, ctx: TurnContext): Promise<CommandResult> => {
  const { identities, clock } = deps;
  const t = identityTexts(ctx.locale);
  // The code gives access to all account data, so it is never shown in a group, not even ephemerally.
  if (ctx.chatType !== 'direct') return ephemeral([t.directOnly()]);
  const [, ...others] = await identities.of(senderOf(ctx));
  const { code, expiresAt } = await identities.issueCode(await partyOf(deps, ctx));
  const minutes = Math.max(1, Math.ceil(clock.now().until(expiresAt).total('minutes')));
  return ephemeral([
    ...(others.length > 0 ? [t.linkedWith({ others: identityNames(others, ctx.locale) })] : []),
    t.code({ code, minutes }),
    t.tellNobody(),
  ]);
};

/** True for a code typed as a message in a group. Nobody else sees the options of a slash command. */
const isReadByOthers = ({ chatType, interaction }: TurnContext): boolean =>
  chatType !== 'direct' && interaction === undefined;

/** Asks before linking and says with whom and what is shared, because the code may come from a stranger. */
const ask = async (
  { identities }: LinkDeps,
  code: string,
  ctx: TurnContext,
  before: readonly string[] = [],
): Promise<CommandResult> => {
  const t = identityTexts(ctx.locale);
  const question = await identities.ask(code, senderOf(ctx));
  if (question.status !== 'asked') return ephemeral([t[question.status]()]);
  const [other, ...also] = question.with;
  if (!other) return ephemeral([t.unknown()]);
  const asked = t.confirmLink({
    other: identityName(other, ctx.locale),
    also: also.length > 0 ? identityNames(also, ctx.locale) : undefined,
    owned: countAmounts(identities.labels, question.owned, ctx.locale),
  });
  const choices = [
    { label: t.confirmLinkButton(), command: `/link ${code} --${YES}`, answers: 'yes' as const },
    { label: t.declineButton(), command: '/link no', answers: 'no' as const },
  ];
  return { ...ephemeral([...before, asked], choices), typed: t.confirmLinkTyped({ code }) };
};

const join = async (
  deps: LinkDeps,
  code: string,
  isSure: boolean,
  ctx: TurnContext,
): Promise<CommandResult> => {
  const t = identityTexts(ctx.locale);
  const { identities } = deps;
  if (isReadByOthers(ctx)) {
    await identities.voidCode(code);
    return ephemeral([t.readByOthers()]);
  }
  if (!isSure) return ask(deps, code, ctx);
  const outcome = await identities.link(code, await partyOf(deps, ctx));
  switch (outcome.status) {
    case 'unknown':
    case 'same':
      return ephemeral([t[outcome.status]()]);
    // A yes counts only if this person was asked before.
    case 'unasked':
      return ask(deps, code, ctx);
    case 'changed':
      return ask(deps, code, ctx, [t.changed()]);
    case 'full':
      return ephemeral([t.full({ limit: formatCount(outcome.limit, ctx.locale) })]);
    case 'linked': {
      const other = identityName(outcome.with, ctx.locale);
      return ephemeral([
        t.linked({ other, owned: countAmounts(identities.labels, outcome.owned, ctx.locale) }),
      ]);
    }
  }
  return outcome satisfies never;
};

const decline = async ({ identities }: LinkDeps, ctx: TurnContext): Promise<CommandResult> => {
  const t = identityTexts(ctx.locale);
  return ephemeral([(await identities.decline(senderOf(ctx))) ? t.declined() : t.nothingToDecline()]);
};

const describeSplit = ({ others, takes, leaves }: LinkSplit, { locale }: TurnContext) => ({
  others: identityNames(others, locale),
  ...(takes.length > 0 ? { takes: portfolioNames(takes) } : {}),
  ...(leaves.length > 0 ? { leaves: portfolioNames(leaves) } : {}),
});

const leave = async (deps: LinkDeps, isSure: boolean, ctx: TurnContext): Promise<CommandResult> => {
  const t = identityTexts(ctx.locale);
  const { identities } = deps;
  if (isSure) {
    const left = await identities.unlink(await partyOf(deps, ctx));
    return ephemeral([left ? t.off(describeSplit(left, ctx)) : t.notLinked()]);
  }
  const split = await identities.split(senderOf(ctx));
  if (!split) return ephemeral([t.notLinked()]);
  return {
    ...ephemeral(
      [t.confirmOff(describeSplit(split, ctx))],
      [{ label: t.confirmOffButton(), command: `/link off --${YES}`, answers: 'yes' }],
    ),
    typed: commandTexts(ctx.locale).goOn({ command: `/link off --${YES}` }),
  };
};

export const link = (deps: LinkDeps): Command => ({
  definition: linkDefinition,
  execute: async (args, ctx, _signal, flags) => {
    const isSure = flags?.has(YES) === true;
    const typed = args.join(' ').replaceAll('`', '').trim();
    if (typed === '' && !isSure) return show(deps, ctx);
    if (OFF.has(typed.toLowerCase())) return leave(deps, isSure, ctx);
    if (NO.has(typed.toLowerCase()) && !isSure) return decline(deps, ctx);
    if (CODE.test(typed)) return join(deps, typed.toUpperCase(), isSure, ctx);
    return usageOf(linkDefinition, ctx.locale);
  },
});
