import { portfolioMessages } from './messages/portfolio.ts';
import type { MarketAnswer } from '#src/kernel/market-queries.ts';
import type { PortfolioService } from '#src/kernel/account-services.ts';
import type { PickDeps } from './pick-portfolio.ts';

export type ListDeps = PickDeps;

/** More buttons than a row has would push the list away. */
const MAX_BUTTONS = 5;

/** A person's portfolios, each with how it is kept. */
export const listAnswer =
  ({ owners, store }: ListDeps): PortfolioService['list'] =>
  async (_request, requester): Promise<MarketAnswer> => {
    const t = portfolioMessages(requester.locale);
    const all = await store.list(await owners.ownerOf(requester));
    if (all.length === 0) return { content: t.empty(), facts: [], found: 0 };
    const lines = all.map(({ name, baseCurrency: currency, costMethod, isDefault, allowsShort }) => {
      const title = isDefault ? `${t.defaultMark} **${name}**` : `**${name}**`;
      const marks = allowsShort ? [t.takesShort] : [];
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
