import type { MsgContext } from '#src/kernel/chat/message.ts';
import type { EngineApp } from './engine-app.ts';

/** What only `ann` has: wherever a word of it stands, something of hers is told. */
export const HERS = /AVGO|Broadcom|브로드컴|NFLX|Netflix|넷플릭스|7,?777|nest-egg|heron|aggressive/;

export interface OwnThings {
  readonly alertId: string;
  readonly briefingId: string;
  readonly importCode: string;
}

const found = (pattern: RegExp, said: readonly string[]): string => {
  const [, id] = pattern.exec(said.join('\n')) ?? [];
  if (id === undefined) throw new Error(`No ${pattern.source} in ${said.join('\n')}`);
  return id;
};

/** Gives a person a profile, a portfolio, a watched stock, an alert, a briefing and an open import. */
export const giveOwnThings = async ({ ask }: Pick<EngineApp, 'ask'>, who: string): Promise<OwnThings> => {
  await ask(who, '/profile risk aggressive');
  await ask(who, '/portfolio new nest-egg USD');
  await ask(who, '/portfolio use nest-egg');
  await ask(who, '/portfolio add AVGO 7777 100 2026-11-02 --note=heron --yes');
  await ask(who, '/watch NFLX');
  const imported = '/portfolio import\ndate,kind,symbol,quantity,price\n2026-11-03,buy,NFLX,7777,1';
  await ask(who, '/alert AVGO > 7777 --yes');
  await ask(who, '/briefing 08:30 weekdays NFLX');
  return {
    alertId: found(/`(\w{6})` Broadcom/, await ask(who, '/alerts')),
    briefingId: found(/`(\w{6})` · weekdays/, await ask(who, '/briefing')),
    importCode: found(/confirm (\w+) all/, await ask(who, imported)),
  };
};

/** Everything of theirs, as they see it themselves. */
export const ownThingsSeenBy = async (
  { ask }: Pick<EngineApp, 'ask'>,
  who: string,
  where: Partial<MsgContext> = {},
): Promise<readonly string[]> => {
  const said: string[] = [];
  for (const line of ['/portfolio list', '/portfolio history', '/alerts', '/watch', '/briefing', '/privacy'])
    said.push(...(await ask(who, line, where)));
  return said;
};
