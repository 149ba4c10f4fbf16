import { portfolioMessages } from './messages/portfolio.ts';
import type { CostMethod, PortfolioRecord, Transaction } from '#src/kernel/ledger.ts';
import type { MarketAnswer } from '#src/kernel/market-queries.ts';
import type { Requester, PortfolioService } from '#src/kernel/account-services.ts';
import type { Steps } from '#src/platform/steps.ts';
import type { PortfolioChange, PortfolioStore } from './store-types.ts';
import { FIRST_PORTFOLIO } from './first-portfolio.ts';
import { deriveLedger } from './ledger/derive-ledger.ts';
import type { LedgerProblem } from './ledger/ledger-state.ts';
import { rulesOf } from './ledger/rules-of.ts';
import { notPickedAnswer, pickPortfolio, type PickDeps } from './pick-portfolio.ts';
import { ledgerProblemText } from './record-text.ts';
import { refusedAnswer } from './refused-answer.ts';
import { readYesNo } from '#src/language/yes-no.ts';

export interface ConfigureDeps extends PickDeps {
  readonly store: Pick<PortfolioStore, 'list' | 'configure' | 'openFirst'>;
}

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

type Understood = { readonly change: PortfolioChange; readonly done: string } | { readonly problem: string };

const understood = (
  setting: 'default' | 'cost' | 'short',
  value: string | undefined,
  name: string,
  { locale }: Requester,
): Understood => {
  const t = portfolioMessages(locale);
  const typed = value?.normalize('NFKC').trim().toLowerCase() ?? '';
  if (setting === 'default') return { change: { isDefault: true }, done: t.nowDefault({ name }) };
  if (setting === 'cost') {
    const costMethod = METHODS.get(typed);
    if (!costMethod) return { problem: t.costUsage() };
    return { change: { costMethod }, done: t.costSet({ name, method: t.methods[costMethod] }) };
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
  const derived = yield* deriveLedger(existing, rulesOf(changed));
  return derived.status === 'refused' ? derived.problem : undefined;
};

/** How a portfolio is kept. Short sales are not turned off while the ledger rests on one. */
export const configureAnswer =
  (deps: ConfigureDeps): PortfolioService['configure'] =>
  async ({ portfolio: wanted, setting, value }, requester, signal): Promise<MarketAnswer> => {
    const { locale } = requester;
    const t = portfolioMessages(locale);
    const picked = await pickPortfolio(deps, requester, wanted);
    const isFirst = picked.status === 'none' && setting !== 'default';
    if (picked.status !== 'ok' && !isFirst) return notPickedAnswer(picked, wanted, locale);
    const { name } = picked.status === 'ok' ? picked.portfolio : FIRST_PORTFOLIO[locale];
    const meant = understood(setting, value, name, requester);
    if ('problem' in meant) return refusedAnswer(meant.problem);
    // Who is told to allow short sales for a first entry can do so before it.
    const { ownerId } = picked;
    const portfolio =
      picked.status === 'ok'
        ? picked.portfolio
        : (await deps.store.openFirst(requester, FIRST_PORTFOLIO[locale])).portfolio;
    const refuse = meant.change.allowsShort === false ? problemOf : undefined;
    const outcome = await deps.store.configure(ownerId, portfolio.id, meant.change, refuse, signal);
    switch (outcome.status) {
      case 'done':
        return { content: meant.done, facts: [], found: 1 };
      case 'refused':
        return refusedAnswer(t.shortNeeded({ name, why: ledgerProblemText(outcome.refusal, locale) }));
      case 'gone':
        return refusedAnswer(t.gone({ name }));
    }
    return outcome satisfies never;
  };
