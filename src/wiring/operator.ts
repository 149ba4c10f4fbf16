import { conversationForSupport } from '../agent/conversation-export.ts';
import type { Engine } from '../agent/engine.ts';
import { dayAround } from '../agent/usage/periods.ts';
import { isAdmin } from '#src/chat/context/admins.ts';
import type { Turns } from '../chat/queue/turns.ts';
import type { Features } from '#src/features/open/open-features.ts';
import { countFeedback, countPlans } from '#src/features/open/operator-counts.ts';
import { identityName } from '#src/kernel/people/identity.ts';
import type { Locale } from '../kernel/locale.ts';
import { asId, type ChannelId, fromKeyPart, type UserId } from '../kernel/ids.ts';
import type { LogLine } from '#src/kernel/operations/log.ts';
import { supportNotices } from './support-texts.ts';
import type { OperatorAuditAction, AuditDetails } from '#src/kernel/operations/audit.ts';
import type { StatusReports } from '#src/kernel/operations/status.ts';
import type {
  Dashboard,
  Operator,
  OperatorActions,
  OperatorReports,
} from '#src/kernel/operations/operator.ts';
import type { Decider } from '#src/kernel/agent/approvals.ts';
import type { Agent } from './agent.ts';
import type { Base } from './base.ts';
import type { People } from './people.ts';
import { createOperatorAccess } from '../operator/access.ts';
import { mountOperatorPage } from '../operator/mount.ts';
import type { Config } from '../platform/config/config.ts';
import { OPERATOR_PATH, type RequestHandler } from '../platform/net/health-server.ts';
import { type AuditActor, recordAudit } from '../people/store/audit.ts';
import type { PersonCodes } from '../platform/storage/person-codes.ts';
import { createOperatorSessions } from '../operator/store/sessions.ts';
import { createSupportShareStore, type SupportShareStore } from '../people/store/support-shares.ts';
import { createApprovalStore } from '../chat/store/approvals.ts';
import { lastNameOf } from '../chat/store/conversation-traces.ts';
import { notify } from '../chat/store/notifications.ts';
import { createDeadLetterActions } from '../chat/store/dead-letters.ts';
import { createUsageDays } from '../agent/store/usage-days.ts';

interface OperatorParts {
  readonly base: Pick<Base, 'storage' | 'clock'>;
  readonly people: {
    readonly stores: Pick<People['stores'], 'audit'>;
    readonly notifier: Pick<People['notifier'], 'wake'>;
    readonly ownsBot: People['ownsBot'];
  };
  readonly turns: Pick<Turns, 'deadLetters' | 'resume'>;
  readonly agent: {
    readonly approvals: Pick<Agent['approvals'], 'decide' | 'pendingFor'>;
    readonly transcripts: Pick<Agent['transcripts'], 'loadAll'>;
  };
  readonly features: Pick<Features, 'kind' | 'sources'>;
  readonly engine: {
    readonly usage: Pick<Engine['usage'], 'limits' | 'today'>;
    readonly keys: Pick<Engine['keys'], 'list' | 'setActive' | 'pause'>;
  };
  readonly status: StatusReports;
  /** The last log lines of this process. */
  readonly log: () => readonly LogLine[];
  readonly refusedPosts: OperatorReports['refusedPosts'];
}

const MINUTE_MS = 60_000;

const actorOf = (by: Operator): AuditActor => (by.kind === 'token' ? by.kind : by.person);

const deciderOf = ({ person, roles }: Extract<Operator, { readonly kind: 'admin' }>): Decider => ({
  ...person,
  userRoles: roles,
  isOperator: true,
});

/** The key of a conversation that one person has alone names that person. */
const DIRECT_KEY = /\bagent:[^:\s"]*:([^:\s"]*):[^:\s"]*:(?:direct|private):([^:\s"]+)/g;

/** Operators see codes in place of people. */
const withoutPeople = (text: string, codes: Pick<PersonCodes, 'person'>): string =>
  text.replaceAll(DIRECT_KEY, (key: string, channel: string, user: string) => {
    const person = {
      channelId: asId<ChannelId>(fromKeyPart(channel)),
      userId: asId<UserId>(fromKeyPart(user)),
    };
    return `${key.slice(0, -user.length)}${codes.person(person)}`;
  });

const VERDICTS = { approve: 'approved', deny: 'denied' } as const;

const notice = (reader: string, locale: Locale): string => supportNotices(locale).wasRead({ reader });

const openReports = (
  { timeZone, effective }: Pick<Config, 'timeZone' | 'effective'>,
  parts: OperatorParts,
  shares: SupportShareStore,
): OperatorReports => {
  const { base, people, turns, agent, features, engine, status } = parts;
  const { storage, clock } = base;
  const usageDays = createUsageDays({ storage, clock, timeZone, dayAround });
  const waiting = createApprovalStore(storage);
  return {
    status: status.current,
    usage: async (days) => ({ timeZone, days: await usageDays.last(days) }),
    spending: async () => ({
      todayUsd: (await engine.usage.today('all')).total.costUsd,
      limits: engine.usage.limits,
    }),
    keys: engine.keys.list,
    deadLetters: turns.deadLetters.summary,
    refusedPosts: parts.refusedPosts,
    approvals: async (by) => {
      const open = by.kind === 'token' ? [] : await agent.approvals.pendingFor(deciderOf(by));
      const own = new Map(open.map(({ id, summary }) => [id, summary]));
      return (await waiting.pending()).map(({ id, toolName, channelId, askedBy, createdAt, expiresAt }) => ({
        id,
        toolName,
        channelId,
        person: storage.codes.person({ channelId, userId: askedBy }),
        askedAt: createdAt,
        expiresAt,
        summary: own.get(id),
      }));
    },
    plans: () => countPlans(storage.db),
    market: () => ({ kind: features.kind(), sources: features.sources() }),
    settings: effective,
    feedback: () => countFeedback(storage.db),
    log: () => parts.log().map((line) => ({ ...line, text: withoutPeople(line.text, storage.codes) })),
    audit: people.stores.audit.recent,
    shares: () => shares.list(clock.now()),
    nameOf: (person) => lastNameOf(storage.db, person),
  };
};

const openActions = (parts: OperatorParts, shares: SupportShareStore): OperatorActions => {
  const { base, people, turns, agent, engine } = parts;
  const { storage, clock } = base;
  const letters = createDeadLetterActions(storage);

  const record = (action: OperatorAuditAction, by: Operator, details: AuditDetails = {}): Promise<void> =>
    storage.write((tx) => recordAudit(tx, storage.codes, action, actorOf(by), details, clock.now()));

  const nameOf = async (by: Operator): Promise<(locale: Locale) => string> => {
    if (by.kind === 'token') return (locale) => supportNotices(locale).tokenReader();
    const name = await lastNameOf(storage.db, by.person);
    return (locale) => identityName({ ...by.person, ...(name !== undefined && { name }) }, locale);
  };

  return {
    replay: async (id, by) => {
      const outcome = await letters.replay(id, actorOf(by), clock.now());
      // Not awaited: the answer may take minutes. If the process ends before it, the next one finds the message.
      if (outcome === 'done') void turns.resume(id);
      return outcome;
    },
    discard: (id, by) => letters.discard(id, actorOf(by), clock.now()),
    setKeyActive: (id, isActive, by) =>
      engine.keys.setActive(id, isActive, () => record(isActive ? 'key-on' : 'key-off', by, { key: id })),
    restKey: (id, minutes, by) =>
      engine.keys.pause(id, minutes * MINUTE_MS, () =>
        minutes > 0 ? record('key-rest', by, { key: id, minutes }) : record('key-wake', by, { key: id }),
      ),
    decide: async (id, asked, by) => {
      if (by.kind === 'token') return 'refused';
      const { outcome } = await agent.approvals.decide(id, VERDICTS[asked], deciderOf(by));
      return outcome === 'recorded' ? 'done' : outcome;
    },
    readShare: async (id, by) => {
      const name = await nameOf(by);
      const sessionKey = await shares.read(id, { by: actorOf(by), name, notice }, clock.now());
      if (sessionKey === undefined) return undefined;
      people.notifier.wake();
      return conversationForSupport(await agent.transcripts.loadAll(sessionKey));
    },
    recordLogin: (by) => record('operator-login', by),
    recordLogout: (by, isEverywhere) => record(isEverywhere ? 'operator-logout-all' : 'operator-logout', by),
  };
};

type OperatorConfig = Pick<Config, 'httpPort' | 'operator' | 'admins' | 'locale' | 'timeZone' | 'effective'>;

/** What operators see and do on their page. */
export const openOperatorPorts = (
  config: Pick<OperatorConfig, 'timeZone' | 'effective'>,
  parts: OperatorParts,
): { readonly reports: OperatorReports; readonly actions: OperatorActions } => {
  const shares = createSupportShareStore(parts.base.storage, notify);
  return { reports: openReports(config, parts, shares), actions: openActions(parts, shares) };
};

/** Opens the operator page of the health server, and the way into it. Not loaded where the page is off. */
export const openOperatorPage = (
  config: OperatorConfig & { readonly operator: NonNullable<OperatorConfig['operator']> },
  parts: OperatorParts & { readonly base: Pick<Base, 'storage' | 'clock' | 'logger'> },
  opened: AsyncDisposableStack,
): { readonly dashboard: Dashboard; readonly handle: RequestHandler } => {
  const { httpPort, operator, admins, locale, timeZone } = config;
  const { token, publicUrl } = operator;
  const { storage, clock } = parts.base;
  const access = createOperatorAccess({
    sessions: createOperatorSessions(storage),
    isAdmin: async (person, senderRoles) =>
      isAdmin({ channelId: person.channelId, senderId: person.userId, senderRoles }, admins) ||
      (await parts.people.ownsBot(person)),
    token,
    url: `${publicUrl ?? `http://127.0.0.1:${httpPort}`}${OPERATOR_PATH}`,
    clock,
  });
  const page = mountOperatorPage({
    ...parts.base,
    ...openOperatorPorts(config, parts),
    access,
    hasToken: token !== undefined,
    publicUrl,
    locale: locale === 'auto' ? 'en' : locale,
    timeZone,
  });
  opened.defer(page.stop);
  return { dashboard: access, handle: page.handle };
};
