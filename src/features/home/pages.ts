import { type Actor, inOwnChat } from '#src/kernel/chat/actor.ts';
import { createHash } from 'node:crypto';
import type { Requester } from '#src/kernel/people/requester.ts';

import type { Home, HomePages, HomeQuestionId, HomeReader, HomeSection } from '#src/kernel/people/home.ts';
import { asId, type ChatId } from '#src/kernel/ids.ts';
import { LANGUAGE_NAMES, type Locale, type Localized } from '#src/kernel/locale.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { Choice } from '#src/kernel/chat/message.ts';
import { writeDayMoment, writeMoment, type ZoneSource } from '#src/kernel/time.ts';
import type { UserProfile } from '#src/kernel/people/profile.ts';
import { zoneSourceText } from '#src/reading/zone-question.ts';
import { instrumentLabel } from '#src/markets/answers/quote-text.ts';
import { waitAtMost } from '#src/platform/concurrency/abort.ts';
import type { Uses } from '#src/platform/services.ts';
import type { AccountStores } from '../open/account-stores.ts';
import { alertTitle, describeTerms } from '../alerts/conditions/describe-condition.ts';
import { briefingTitle } from '../briefings/briefing-text.ts';
import type { PortfolioService } from '../portfolio/service.ts';
import { homeTexts } from './texts.ts';

export interface HomeDeps extends Uses<'clock' | 'logger.warn' | 'profiles.get' | 'watchlist.show'> {
  readonly portfolio: Pick<PortfolioService, 'summary'>;
  readonly stores: Pick<AccountStores, 'owners' | 'portfolios' | 'alerts' | 'watchlists' | 'briefings'>;
  readonly audienceOf: (
    reader: HomeReader,
    profile: UserProfile,
  ) => { readonly locale: Locale; readonly timeZone: string; readonly zoneFrom: ZoneSource };
  /** What to tell somebody who may not use the bot directly. Undefined: they may. */
  readonly refusalHere: (actor: Actor) => Promise<string | undefined>;
}

/** Platforms give three seconds for the whole page. */
const PRICES_MS = 1_800;
const MAX_HOLDINGS = 5;
const MAX_WATCHED = 15;
const MAX_ITEMS = 20;
const MAX_CHOICES = 4;

/** In the language itself, so that everybody finds their own. */
const LANGUAGES: Localized = { ko: LANGUAGE_NAMES.ko.ko, en: LANGUAGE_NAMES.en.en };

/** The page only reads data, so its request id is stored nowhere. */
const requesterOf = (
  { channelId, accountId, senderId: userId, senderName: name }: HomeReader,
  audience: ReturnType<HomeDeps['audienceOf']>,
): Requester => ({
  channelId,
  userId,
  name,
  ...audience,
  isDirect: true,
  target: { channelId, accountId, chatId: asId<ChatId>(userId), recipientId: userId, isDirect: true },
  requestId: `home:${userId}`,
});

const isTableLine = (line: string): boolean => line.startsWith('|');

/** Header, rule and the first rows of the table in a text, and how many rows are left out. */
const tableIn = (markdown: string, maxRows: number): { readonly text: string; readonly left: number } => {
  const lines = markdown.split('\n').filter(isTableLine);
  return {
    text: lines.slice(0, maxRows + 2).join('\n'),
    left: Math.max(0, lines.length - 2 - maxRows),
  };
};

const portfolioSection = ({ content, cards, choices = [] }: MarketAnswer, locale: Locale): HomeSection => {
  const t = homeTexts(locale);
  const [card] = cards?.items ?? [];
  const questions: readonly HomeQuestionId[] = ['trade'];
  if (!card) return { title: t.portfolio(), text: content, questions };
  const { text, left } = tableIn(content, MAX_HOLDINGS);
  return {
    title: card.title,
    card,
    text: left > 0 ? `${text}\n\n${t.more({ count: left })}` : text,
    choices: choices.slice(0, MAX_CHOICES),
    questions,
  };
};

/** Without the title of the answer, because the section has its own. */
const watchlistSection = ({ content }: MarketAnswer, locale: Locale): HomeSection => {
  const t = homeTexts(locale);
  const { text: table, left } = tableIn(content, MAX_WATCHED);
  const words = content
    .split('\n\n')
    .filter((paragraph) => !isTableLine(paragraph))
    .slice(table === '' ? 0 : 1);
  const text = [table, ...(left > 0 ? [t.more({ count: left })] : []), ...words].join('\n\n').trim();
  return { title: t.watchlist(), text, questions: ['watch'] };
};

const shortened = <T>(all: readonly T[], locale: Locale) =>
  all.length > MAX_ITEMS ? { text: homeTexts(locale).more({ count: all.length - MAX_ITEMS }) } : {};

/** The answer is shown on the page, from which the line is gone then. */
const deletion = (command: string, locale: Locale): Choice => ({
  label: homeTexts(locale).delete(),
  command,
  isDestructive: true,
  effect: 'replaces',
});

export const createHomePages = (deps: HomeDeps): Pick<HomePages, 'compose' | 'versionOf' | 'languageOf'> => {
  const { stores, profiles, clock, logger } = deps;

  const known = async (reader: HomeReader) => {
    const profile = await profiles.get(reader.channelId, reader.senderId);
    return { profile, audience: deps.audienceOf(reader, profile) };
  };

  const { alertsSection, briefingsSection, settingsSection, watchedNames } = createSections(deps);

  /** A section that cannot be read says so, and the others are shown. */
  const orFailed = async (
    title: string,
    locale: Locale,
    work: Promise<HomeSection>,
  ): Promise<HomeSection> => {
    try {
      return await work;
    } catch (error) {
      logger.warn('A section of a home page could not be made', { title, error });
      return { title, text: homeTexts(locale).failed() };
    }
  };

  /** Its prices go on coming after the limit, so that the next page has them. Undefined: too late. */
  const priced = async (
    answer: Promise<MarketAnswer>,
    write: (answer: MarketAnswer, locale: Locale) => HomeSection,
    locale: Locale,
  ): Promise<HomeSection | undefined> => {
    const section = answer.then((found) => write(found, locale));
    section.catch(() => undefined);
    return waitAtMost(section, PRICES_MS, clock);
  };

  return {
    compose: async (reader, signal): Promise<Home> => {
      const { profile, audience } = await known(reader);
      const requester = requesterOf(reader, audience);
      const { locale, timeZone } = audience;
      const t = homeTexts(locale);
      const text = await deps.refusalHere({ ...inOwnChat(reader), locale });
      if (text !== undefined) {
        return { locale, sections: [{ title: t.closed(), text }], footer: '', isPartial: false };
      }
      let isPartial = false;
      const ifLate = async (section: Promise<HomeSection | undefined>, late: () => Promise<HomeSection>) => {
        const found = await section;
        if (found) return found;
        isPartial = true;
        return late();
      };
      const summary = deps.portfolio.summary({ isDrawn: false, isUnasked: true }, requester, signal);
      const watched = deps.watchlist.show({}, requester, signal);
      const sections = await Promise.all([
        orFailed(
          t.portfolio(),
          locale,
          ifLate(priced(summary, portfolioSection, locale), async () => ({
            title: t.portfolio(),
            text: t.late(),
            questions: ['trade'],
          })),
        ),
        orFailed(
          t.watchlist(),
          locale,
          ifLate(priced(watched, watchlistSection, locale), () => watchedNames(requester)),
        ),
        orFailed(t.alerts(), locale, alertsSection(requester)),
        orFailed(t.briefings(), locale, briefingsSection(requester)),
      ]);
      return {
        locale,
        sections: [...sections, settingsSection(requester, profile)],
        footer: t.made({ at: writeMoment(clock.now(), timeZone) }),
        isPartial,
      };
    },

    versionOf: async (reader) => {
      const person = { channelId: reader.channelId, userId: reader.senderId };
      const ownerId = await stores.owners.ownerOf(person);
      const [profile, portfolios, alerts, watched, briefings] = await Promise.all([
        profiles.get(reader.channelId, reader.senderId),
        stores.portfolios.list(ownerId),
        stores.alerts.listOf(ownerId),
        stores.watchlists.list(ownerId),
        stores.briefings.listOf(ownerId),
      ]);
      const ledgers = await Promise.all(
        portfolios.map(async ({ id, name, isDefault, costMethod }) => {
          const entries = await stores.portfolios.transactions(ownerId, id);
          const reversed = entries.filter(({ isReversed }) => isReversed).length;
          return [id, name, isDefault, costMethod, entries.length, reversed];
        }),
      );
      const { platform: _told, ...chosen } = profile;
      const state = [
        chosen,
        ledgers,
        alerts.map(({ id, firedCount, snoozedUntil }) => [id, firedCount, snoozedUntil?.toString()]),
        watched.map(({ symbol }) => symbol),
        briefings.map(({ id, nextAt, timeZone }) => [id, nextAt.toString(), timeZone]),
      ];
      return createHash('sha256').update(JSON.stringify(state)).digest('hex');
    },

    languageOf: async (reader) => (await known(reader)).audience.locale,
  };
};

/** The sections that no market is asked for. */
const createSections = ({ stores, clock }: Pick<HomeDeps, 'stores' | 'clock'>) => {
  const alertsSection = async (requester: Requester): Promise<HomeSection> => {
    const { locale } = requester;
    const t = homeTexts(locale);
    const alerts = await stores.alerts.listOf(await stores.owners.ownerOf(requester));
    const now = clock.now();
    return {
      title: t.alerts(),
      ...(alerts.length === 0 ? { text: t.noAlerts() } : shortened(alerts, locale)),
      items: alerts.slice(0, MAX_ITEMS).map((alert) => ({
        text: `${alertTitle(alert, locale)} · ${describeTerms(alert, requester, now)}`,
        choice: deletion(`/alert delete ${alert.id}`, locale),
      })),
      questions: ['alert'],
    };
  };

  const briefingsSection = async (requester: Requester): Promise<HomeSection> => {
    const { locale } = requester;
    const t = homeTexts(locale);
    const briefings = await stores.briefings.listOf(await stores.owners.ownerOf(requester));
    return {
      title: t.briefings(),
      ...(briefings.length === 0 ? { text: t.noBriefings() } : shortened(briefings, locale)),
      items: briefings.slice(0, MAX_ITEMS).map((briefing) => ({
        text: `${briefingTitle(briefing, locale)} · ${writeDayMoment(briefing.nextAt, briefing.timeZone, locale)}`,
        choice: deletion(`/briefing delete ${briefing.id}`, locale),
      })),
      questions: ['briefing'],
    };
  };

  const settingsSection = (requester: Requester, profile: UserProfile): HomeSection => {
    const { locale, timeZone, zoneFrom } = requester;
    const t = homeTexts(locale);
    const language = (value: Locale | 'auto', label: string): Choice => ({
      label,
      command: `/profile language ${value}`,
      effect: 'replaces',
      isCurrent: (profile.locale ?? 'auto') === value,
    });
    const at = clock.now().toZonedDateTimeISO(timeZone).toPlainTime().toString({ smallestUnit: 'minute' });
    const name = profile.locale ? LANGUAGES[profile.locale] : t.languageOfMessage();
    return {
      title: t.settings(),
      items: [
        { text: t.language({ name }) },
        { text: t.zone({ zone: timeZone, clock: at, from: zoneSourceText({ ...requester, zoneFrom }) }) },
      ],
      choices: [
        language('ko', LANGUAGES.ko),
        language('en', LANGUAGES.en),
        language('auto', t.automatic()),
        { label: t.help(), command: '/help' },
      ],
      questions: ['zone'],
    };
  };

  /** The names alone, while their prices are awaited. */
  const watchedNames = async (requester: Requester): Promise<HomeSection> => {
    const { locale } = requester;
    const t = homeTexts(locale);
    const watched = await stores.watchlists.list(await stores.owners.ownerOf(requester));
    const names = watched.slice(0, MAX_WATCHED).map((each) => instrumentLabel(each, locale));
    const lines = [...names.map((name) => `- ${name}`), t.late()];
    return { title: t.watchlist(), text: lines.join('\n'), questions: ['watch'] };
  };

  return { alertsSection, briefingsSection, settingsSection, watchedNames };
};
