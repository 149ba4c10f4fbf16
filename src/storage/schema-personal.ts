import type { AlertSide, AlertStatus } from '#src/core/alert.ts';
import type { CostMethod, TransactionKind } from '#src/core/ledger.ts';

/** The tables of what is a person's own. Amounts are decimals as text, also inside JSON. */
export interface PersonalTables {
  identity_links: IdentityLinksTable;
  link_codes: LinkCodesTable;
  link_questions: LinkQuestionsTable;
  portfolios: PortfoliosTable;
  transactions: TransactionsTable;
  pending_imports: PendingImportsTable;
  dismissed_actions: DismissedActionsTable;
  alerts: AlertsTable;
  alert_firings: AlertFiringsTable;
  watchlist_entries: WatchlistEntriesTable;
  briefings: BriefingsTable;
  audit: AuditTable;
}

/** Who is one person with whom; somebody without a row is their own owner. */
interface IdentityLinksTable {
  channel_id: string;
  user_id: string;
  owner_id: string;
  linked_at: string;
  /** JSON: under which name and where this identity is told about its link. Null for links of older versions. */
  contact: string | null;
}

/** A word that one identity got and another one has to say. */
interface LinkCodesTable {
  code_hash: string;
  channel_id: string;
  user_id: string;
  expires_at: string;
  /** JSON: under which name and where the one who got the code is told that somebody used it. */
  contact: string | null;
}

/** This person was asked whether they want to be linked by this code. Without a row, a yes does not count. */
interface LinkQuestionsTable {
  code_hash: string;
  channel_id: string;
  user_id: string;
  /** Which identities the question named. It has to be asked again where they have changed. */
  sides: string;
  expires_at: string;
}

interface PortfoliosTable {
  id: string;
  owner_id: string;
  name: string;
  name_key: string;
  base_currency: string;
  cost_method: CostMethod;
  allows_short: number;
  is_default: number;
  created_at: string;
  /** The own owner id of the identity that began it: it goes with that one when a link ends. Null: not known. */
  begun_by: string | null;
  /** JSON: the target weights. Null where none are set. */
  targets: string | null;
}

/** Only ever added to. A row that reverses another one has no details of its own. */
interface TransactionsTable {
  id: string;
  portfolio_id: string;
  number: number;
  client_id: string;
  kind: TransactionKind | 'reversal';
  reverses: string | null;
  trade_date: string | null;
  /** Beside the details: many entries are of the same one, which is read once. */
  instrument: string | null;
  details: string;
  recorded_at: string;
}

/** Rows that were read from a file and wait for a word of the person. */
interface PendingImportsTable {
  code: string;
  owner_id: string;
  /** Null: it is made with the person's yes. */
  portfolio_id: string | null;
  content: string;
  expires_at: string;
}

/** A split, dividend or price gap that this portfolio is not to be reminded of. It goes where the portfolio goes. */
interface DismissedActionsTable {
  portfolio_id: string;
  symbol: string;
  kind: string;
  action_date: string;
  dismissed_at: string;
}

interface AlertsTable {
  id: string;
  owner_id: string;
  channel_id: string;
  user_id: string;
  request_id: string;
  symbol: string;
  status: AlertStatus;
  side: AlertSide;
  memory: string;
  details: string;
  expires_at: string | null;
  snoozed_until: string | null;
  fired_count: number;
  last_fired_at: string | null;
  created_at: string;
  version: number;
  /** The channel in which it is told (`sharedChatOf`); null in direct chats. */
  chat_key: string | null;
}

/** Written together with the notification of the same id: what is told was recorded, and is told once. */
interface AlertFiringsTable {
  id: string;
  alert_id: string;
  number: number;
  fired_at: string;
}

interface WatchlistEntriesTable {
  owner_id: string;
  symbol: string;
  instrument: string;
  added_at: string;
}

interface BriefingsTable {
  id: string;
  owner_id: string;
  channel_id: string;
  user_id: string;
  request_id: string;
  details: string;
  next_at: string;
  created_at: string;
  /** As of alerts. */
  chat_key: string | null;
}

/** What was done with a person's data, without saying who they are: only they, or who knows their id, can find it. */
interface AuditTable {
  id: string;
  at: string;
  action: string;
  person_hash: string;
  details: string;
}
