import type { Command, CommandDefinition, CommandResult } from '#src/core/command.ts';
import { texts } from '#src/core/i18n.ts';
import type { Identities } from '#src/core/identity.ts';
import type { Choice, MsgContext } from '#src/core/message.ts';
import type { OwnedCounts } from '#src/core/operations.ts';
import type { PersonRef } from '#src/core/personal-desk.ts';
import type { Clock } from '#src/infra/clock.ts';
import { identityNames } from './platform-name.ts';

export interface LinkDeps {
  readonly identities: Identities;
  readonly clock: Clock;
}

const OFF: ReadonlySet<string> = new Set(['off', 'unlink', '해제', '끊기']);
/** As it is shown, or typed without its dash. */
const CODE = /^[a-z0-9]{4}[\s\p{Pd}]*[a-z0-9]{4}$/iu;
const YES = 'yes';

export const linkDefinition: CommandDefinition = {
  name: 'link',
  aliases: ['연결'],
  description: {
    ko: 'Discord와 Slack 계정을 연결해 포트폴리오를 함께 사용합니다',
    en: 'links your Discord and Slack accounts: one portfolio for both',
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
      description: { ko: '확인 질문에 동의합니다', en: 'yes to what would be asked' },
      type: 'flag',
    },
  ],
  isPrivate: true,
};

const personal = (paragraphs: readonly string[], choices: readonly Choice[] = []): CommandResult => ({
  content: paragraphs.join('\n\n'),
  ephemeral: true,
  ...(choices.length > 0 ? { choices } : {}),
});

const senderOf = ({ channelId, senderId }: MsgContext): PersonRef => ({ channelId, userId: senderId });

const hasAny = (owned: OwnedCounts): boolean => Object.values(owned).some((count) => count > 0);

const show = async ({ identities, clock }: LinkDeps, ctx: MsgContext): Promise<CommandResult> => {
  const words = texts(ctx.locale).identity;
  // Shown to one person only or not: what opens all that is theirs does not belong where others are.
  if (ctx.chatType !== 'direct') return personal([words.directOnly()]);
  const person = senderOf(ctx);
  const [, ...others] = await identities.of(person);
  const { code, expiresAt } = await identities.issueCode(person);
  const minutes = Math.max(1, Math.ceil(clock.now().until(expiresAt).total('minutes')));
  return personal([
    ...(others.length > 0 ? [words.linkedWith({ others: identityNames(others, ctx.locale) })] : []),
    words.code({ code, minutes }),
    words.tellNobody(),
  ]);
};

/** Typed as a message where others read along, and not filled into a command, which nobody else sees. */
const isReadByOthers = ({ chatType, interaction }: MsgContext): boolean =>
  chatType !== 'direct' && interaction === undefined;

/** Who has something of their own is asked first, for the other side keeps it. */
const join = async (
  { identities }: LinkDeps,
  code: string,
  isSure: boolean,
  ctx: MsgContext,
): Promise<CommandResult> => {
  const words = texts(ctx.locale).identity;
  const person = senderOf(ctx);
  if (isReadByOthers(ctx)) {
    await identities.voidCode(code);
    return personal([words.readByOthers()]);
  }
  const own = isSure ? undefined : await identities.owned(person);
  if (own && hasAny(own))
    return personal(
      [words.confirmLink({ code, owned: words.owned(own) })],
      [{ label: words.confirmLinkButton(), command: `/link ${code} --${YES}` }],
    );
  const outcome = await identities.link(code, person);
  switch (outcome.status) {
    case 'unknown':
      return personal([words.unknown()]);
    case 'same':
      return personal([words.same()]);
    case 'linked': {
      const other = identityNames([outcome.with], ctx.locale);
      return personal([words.linked({ other, owned: words.owned(outcome.owned) })]);
    }
  }
  return outcome satisfies never;
};

const leave = async ({ identities }: LinkDeps, isSure: boolean, ctx: MsgContext): Promise<CommandResult> => {
  const words = texts(ctx.locale).identity;
  const person = senderOf(ctx);
  const [, ...rest] = await identities.of(person);
  if (rest.length === 0) return personal([words.notLinked()]);
  const others = identityNames(rest, ctx.locale);
  if (!isSure)
    return personal(
      [words.confirmOff({ others })],
      [{ label: words.confirmOffButton(), command: `/link off --${YES}` }],
    );
  return personal([(await identities.unlink(person)) ? words.off({ others }) : words.notLinked()]);
};

export const link = (deps: LinkDeps): Command => ({
  definition: linkDefinition,
  execute: async (args, ctx, _signal, flags) => {
    const words = args.filter((word) => word !== `--${YES}`);
    const isSure = words.length < args.length || flags?.has(YES) === true;
    const typed = words.join(' ').replaceAll('`', '').trim();
    if (typed === '' && !isSure) return show(deps, ctx);
    if (OFF.has(typed.toLowerCase())) return leave(deps, isSure, ctx);
    if (CODE.test(typed)) return join(deps, typed.toUpperCase(), isSure, ctx);
    return personal([texts(ctx.locale).helpUsage({ usage: linkDefinition.usage[ctx.locale] })]);
  },
});
