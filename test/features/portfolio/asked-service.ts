import { portfolio } from '#src/features/portfolio/index.ts';
import type { PortfolioService } from '#src/features/portfolio/service.ts';
import { createCommandRegistry } from '#src/chat/commands/command-registry.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { Tool } from '#src/kernel/agent/tool.ts';
import { msgContext } from '#test/support/context.ts';
import { quietServices } from '#test/support/quiet-services.ts';
import { symbols } from '#test/support/sample-market.ts';
import { toolOf } from '#test/support/tool-of.ts';

/** A tool of portfolios, which asks only what the test answers. */
export const portfolioTool = (name: string, service: Partial<PortfolioService>): Tool =>
  toolOf(portfolio, name, { portfolio: { ...quietServices.portfolio, ...service }, symbols });

/** A portfolio service that keeps the requests it gets. */
export const recordingService = () => {
  const asked: (readonly [question: string, request: unknown])[] = [];
  const answer =
    (question: string) =>
    async (request: unknown): Promise<MarketAnswer> => {
      asked.push([question, request]);
      return { content: 'x', facts: [], found: 1 };
    };
  const service = Object.fromEntries(
    Object.keys(quietServices.portfolio).map((name) => [name, answer(name)]),
  );
  const command = portfolio.command.create({ portfolio: service as unknown as PortfolioService, symbols });
  return { command, asked };
};

/** What a line asks of the service, or else the answer to it. */
export const askedBy = async (body: string) => {
  const { command, asked } = recordingService();
  const registry = createCommandRegistry([command]);
  const found = registry.commandIn(body);
  if (found?.kind !== 'known') throw new Error(`${body} is no command`);
  const result = await registry.execute(
    found.parsed,
    msgContext({ rawBody: body }),
    new AbortController().signal,
  );
  return asked[0] ?? result.content;
};
