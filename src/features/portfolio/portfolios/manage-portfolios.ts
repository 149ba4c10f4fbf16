import type { Locale } from '#src/kernel/locale.ts';
import type { Choice } from '#src/kernel/chat/message.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { AccountQuery, EmptyRequest, Requester } from '#src/kernel/people/requester.ts';
import type { PortfolioStore } from '../store/store.ts';
import type { PortfolioChange } from '../store/portfolios.ts';
import { currencyNamed } from '#src/reading/currencies.ts';
import type { AccountKind, CostMethod, PortfolioRecord, Transaction } from '#src/kernel/market/ledger.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { readYesNo } from '#src/reading/yes-no.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { entryProblemText } from '../entries/entry-problems.ts';
import {
  doneAnswer,
  FIRST_PORTFOLIO,
  notPickedAnswer,
  type PickDeps,
  pickPortfolio,
  refusedAnswer,
} from './pick-portfolio.ts';
import { deriveLedger } from '../ledger/derive-ledger.ts';
import { type LedgerProblem, changingRulesOf } from '../ledger/ledger-state.ts';
import { ledgerProblemText } from '../entries/entry-text.ts';
import type { ConfigureRequest } from '../requests.ts';

type ManageDeps = PickDeps & { readonly store: PortfolioStore };

/** A name is one word, so that `--in=` accepts it, and short, so that buttons can hold it. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]{0,23}$/u;
const MAX_PORTFOLIOS = 20;

/** Creates an empty portfolio. */
export const createAnswer =
  ({
    owners,
    store,
  }: ManageDeps): AccountQuery<{ readonly name: string; readonly currency?: string | undefined }> =>
  async ({ name: typed, currency }, requester): Promise<MarketAnswer> => {
    const { locale } = requester;
    const t = portfolioTexts(locale);
    const name = typed.normalize('NFKC').trim();
    if (!NAME.test(name)) return refusedAnswer(t.badName());
    const money = currencyNamed(currency ?? FIRST_PORTFOLIO[locale].baseCurrency);
    if (!money)
      return refusedAnswer(entryProblemText({ kind: 'unknown-currency', typed: currency ?? '' }, locale));
    if (money.isCoin) return refusedAnswer(t.coinBase());
    const ownerId = await owners.ownerOf(requester);
    if ((await store.list(ownerId)).length >= MAX_PORTFOLIOS)
      return refusedAnswer(t.tooMany({ limit: MAX_PORTFOLIOS }));
    const made = await store.create(requester, { name, baseCurrency: money.code });
    if (!made) return refusedAnswer(t.nameTaken({ name }));
    const message = made.isDefault ? t.createdFirst : t.created;
    const choices = accountChoice(made, locale);
    return {
      ...doneAnswer(message({ name: made.name, currency: made.baseCurrency })),
      ...(choices.length > 0 && { choices }),
    };
  };

/** A second row of buttons would push the list out of view. */
const MAX_BUTTONS = 5;

/** Lists a person's portfolios with their settings. */
export const listAnswer =
  ({ owners, store }: ManageDeps): AccountQuery<EmptyRequest> =>
  async (_request, requester): Promise<MarketAnswer> => {
    const t = portfolioTexts(requester.locale);
    const all = await store.list(await owners.ownerOf(requester));
    if (all.length === 0) return refusedAnswer(t.empty());
    const lines = all.map(({ name, baseCurrency: currency, costMethod, isDefault, allowsShort, account }) => {
      const title = isDefault ? `${t.defaultMark} **${name}**` : `**${name}**`;
      const marks = [...(account ? [t.accounts[account]] : []), ...(allowsShort ? [t.takesShort] : [])];
      return `- ${[title, currency, t.methods[costMethod], ...marks].join(' · ')}`;
    });
    return {
      content: [t.listTitle, ...lines].join('\n'),
      facts: [],
      found: all.length,
      choices: all.slice(0, MAX_BUTTONS).map(({ name }) => ({
        label: t.openButton({ name }),
        command: `/portfolio --in=${name}`,
      })),
    };
  };

const METHODS: ReadonlyMap<string, CostMethod> = new Map([
  ['average', 'average'],
  ['avg', 'average'],
  ['평균', 'average'],
  ['평균단가', 'average'],
  ['fifo', 'fifo'],
  ['선입선출', 'fifo'],
]);
const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ['on', true],
  ['켜기', true],
  ['허용', true],
  ['off', false],
  ['끄기', false],
  ['금지', false],
]);

const ACCOUNTS: ReadonlyMap<string, AccountKind | null> = new Map<string, AccountKind | null>([
  ['isa', 'isa'],
  ['pension', 'pension'],
  ['irp', 'pension'],
  ['연금', 'pension'],
  ['연금저축', 'pension'],
  ['퇴직연금', 'pension'],
  ['ordinary', null],
  ['taxable', null],
  ['일반', null],
  ['위탁', null],
]);
/** Names that people give to such accounts: `ISA`, `내연금`, `my-irp`. */
const NAMED_ACCOUNTS: readonly (readonly [RegExp, AccountKind])[] = [
  [/(?<![a-z])isa(?![a-z])/iu, 'isa'],
  [/연금|(?<![a-z])(?:irp|pension)(?![a-z])/iu, 'pension'],
];

/** The kind that an unmarked portfolio's name suggests. Only Korean accounts are meant, which are kept in won. */
export const suggestedAccount = ({
  name,
  baseCurrency,
  account,
}: Pick<PortfolioRecord, 'name' | 'baseCurrency' | 'account'>): AccountKind | undefined =>
  baseCurrency === 'KRW' && !account
    ? NAMED_ACCOUNTS.find(([pattern]) => pattern.test(name))?.[1]
    : undefined;

/** Marks the portfolio as the account that its name suggests. */
export const accountChoice = (portfolio: PortfolioRecord, locale: Locale): readonly Choice[] => {
  const kind = suggestedAccount(portfolio);
  if (!kind) return [];
  const t = portfolioTexts(locale);
  const label = t.accountButton({ name: portfolio.name, kind: t.accounts[kind] });
  return [{ label, command: `/portfolio account ${kind} --in=${portfolio.name}` }];
};

type Understood = { readonly change: PortfolioChange; readonly done: string } | { readonly problem: string };

const understood = (
  setting: 'default' | 'cost' | 'short' | 'account',
  value: string | undefined,
  name: string,
  { locale }: Requester,
): Understood => {
  const t = portfolioTexts(locale);
  const typed = value?.normalize('NFKC').trim().toLowerCase() ?? '';
  if (setting === 'default') return { change: { isDefault: true }, done: t.nowDefault({ name }) };
  if (setting === 'cost') {
    const costMethod = METHODS.get(typed);
    if (!costMethod) return { problem: t.costUsage() };
    return { change: { costMethod }, done: t.costSet({ name, method: t.methods[costMethod] }) };
  }
  if (setting === 'account') {
    const account = ACCOUNTS.get(typed);
    if (account === undefined) return { problem: t.accountUsage() };
    return {
      change: { account },
      done: account === null ? t.accountOff({ name }) : t.accountSet({ name, kind: t.accounts[account] }),
    };
  }
  const reply = readYesNo(typed).kind;
  const allowsShort =
    SWITCHES.get(typed) ?? (reply === 'yes' || reply === 'no' ? reply === 'yes' : undefined);
  if (allowsShort === undefined) return { problem: t.shortUsage() };
  return { change: { allowsShort }, done: allowsShort ? t.shortOn({ name }) : t.shortOff({ name }) };
};

const problemOf = function* (
  existing: readonly Transaction[],
  changed: PortfolioRecord,
): Steps<LedgerProblem | undefined> {
  const derived = yield* deriveLedger(existing, changingRulesOf(changed));
  return derived.status === 'refused' ? derived.problem : undefined;
};

/** Another way of counting cost must not change what has moved to another portfolio. */
const movedProblemOf: typeof problemOf = function* (existing, changed) {
  const problem = yield* problemOf(existing, changed);
  return problem?.kind === 'moved-cost' ? problem : undefined;
};

/** Changes a setting of a portfolio. Short sales cannot be turned off while the ledger depends on one. */
export const configureAnswer =
  (deps: ManageDeps): AccountQuery<ConfigureRequest> =>
  async ({ portfolio: wanted, setting, value }, requester, signal): Promise<MarketAnswer> => {
    const { locale } = requester;
    const t = portfolioTexts(locale);
    const picked = await pickPortfolio(deps, requester, wanted);
    const isFirst = picked.status === 'none' && setting !== 'default';
    if (picked.status !== 'ok' && !isFirst) return notPickedAnswer(picked, wanted, locale);
    const { name } = picked.status === 'ok' ? picked.portfolio : FIRST_PORTFOLIO[locale];
    const meant = understood(setting, value, name, requester);
    if ('problem' in meant) return refusedAnswer(meant.problem);
    // Short sales can be allowed before the first entry exists.
    const { ownerId } = picked;
    const portfolio =
      picked.status === 'ok'
        ? picked.portfolio
        : (await deps.store.openFirst(requester, FIRST_PORTFOLIO[locale])).portfolio;
    const { allowsShort, costMethod } = meant.change;
    const refuse = allowsShort === false ? problemOf : costMethod === undefined ? undefined : movedProblemOf;
    const outcome = await deps.store.configure(ownerId, portfolio.id, meant.change, refuse, signal);
    switch (outcome.status) {
      case 'done':
        return doneAnswer(meant.done);
      case 'refused': {
        const why = ledgerProblemText(outcome.refusal, locale);
        return refusedAnswer(allowsShort === false ? t.shortNeeded({ name, why }) : why);
      }
      case 'gone':
        return refusedAnswer(t.gone({ name }));
    }
    return outcome satisfies never;
  };

/** Deletes a portfolio permanently after a confirmation. It must be named. */
export const removeAnswer =
  (deps: ManageDeps): AccountQuery<{ readonly portfolio: string; readonly isSure: boolean }> =>
  async ({ portfolio: wanted, isSure }, requester, signal): Promise<MarketAnswer> => {
    const { locale } = requester;
    const t = portfolioTexts(locale);
    if (wanted.trim() === '') return refusedAnswer(t.deleteUsage());
    const picked = await pickPortfolio(deps, requester, wanted);
    if (picked.status !== 'ok') return notPickedAnswer(picked, wanted, locale);
    const { portfolio, ownerId } = picked;
    const { name } = portfolio;
    const count = (await deps.store.transactions(ownerId, portfolio.id, signal)).length;
    if (!isSure) {
      const command = `/portfolio delete ${name} --yes`;
      return {
        ...doneAnswer(t.confirmDelete({ name, count })),
        typed: commandTexts(locale).goOn({ command }),
        choices: [{ label: t.deleteButton({ name }), command, answers: 'yes' }],
      };
    }
    const isDone = await deps.store.remove(ownerId, portfolio.id);
    return isDone ? doneAnswer(t.deleted({ name, count })) : refusedAnswer(t.gone({ name }));
  };
