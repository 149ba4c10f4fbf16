/** An alert of a round, and whether it came true. */
export interface ExpectedAlert {
  readonly id: string;
  readonly chat: string;
  readonly isTold: boolean;
}

/** Something that the bot wrote, as it stands on the platform at the end. */
export interface ToldMessage {
  readonly chat: string;
  readonly text: string;
  /** The bot's own id of it, without dashes, as the platform keeps it. */
  readonly deliveryId: string;
}

/** What the bot itself knows at the end. */
export interface AlertRecords {
  readonly firings: readonly { readonly id: string; readonly alertId: string }[];
  readonly notifications: readonly { readonly id: string; readonly status: string }[];
}

export interface AlertFacts extends AlertRecords {
  readonly alerts: readonly ExpectedAlert[];
  readonly briefing: { readonly chat: string };
  readonly messages: readonly ToldMessage[];
}

/** Nothing else has such a name, however the platform writes the hint beside it. */
const isAbout = ({ text }: ToldMessage, id: string): boolean => new RegExp(`\\b${id}\\b`).test(text);
const isBriefing = ({ text }: ToldMessage): boolean => text.includes('Briefing · ');

const times = (count: number): string => (count === 0 ? 'never' : count === 1 ? 'once' : `${count} times`);

const checkAlert = (
  { id, chat, isTold }: ExpectedAlert,
  { messages, firings }: AlertFacts,
): readonly string[] => {
  const told = messages.filter((message) => isAbout(message, id));
  const recorded = firings.filter(({ alertId }) => alertId === id).length;
  const wanted = isTold ? 1 : 0;
  return [
    ...(told.length === wanted
      ? []
      : [`Alert ${id} was told ${times(told.length)} instead of ${times(wanted)}`]),
    ...(told.every((message) => message.chat === chat) ? [] : [`Alert ${id} was told in another chat`]),
    ...(recorded === wanted
      ? []
      : [`Alert ${id} is recorded as told ${times(recorded)} instead of ${times(wanted)}`]),
  ];
};

const checkBriefing = ({ briefing, messages }: AlertFacts): readonly string[] => {
  const told = messages.filter(isBriefing);
  return [
    ...(told.length === 1 ? [] : [`The briefing was told ${times(told.length)} instead of once`]),
    ...(told.every(({ chat }) => chat === briefing.chat) ? [] : ['The briefing was told in another chat']),
  ];
};

/** The platform and the bot have the same account of what was told. */
const checkRecords = ({ messages, firings, notifications }: AlertFacts): readonly string[] => {
  const stands = (id: string): number =>
    messages.filter(({ deliveryId }) => deliveryId === id.replaceAll('-', '')).length;
  const stored = new Set(notifications.map(({ id }) => id));
  const storedKeys = new Set(notifications.map(({ id }) => id.replaceAll('-', '')));
  return [
    ...notifications
      .filter(({ status }) => status !== 'sent')
      .map(({ id, status }) => `Notification ${id} is ${status} at the end`),
    ...notifications
      .filter(({ id }) => stands(id) !== 1)
      .map(({ id }) => `Notification ${id} stands there ${times(stands(id))}`),
    ...firings
      .filter(({ id }) => !stored.has(id))
      .map(({ id }) => `Firing ${id} has no notification of its name`),
    ...messages
      .filter(({ deliveryId }) => !storedKeys.has(deliveryId))
      .map(({ text }) => `Nothing is known of the message "${text.slice(0, 60)}"`),
  ];
};

/** Everything that is wrong with what was told; nothing, where each alert that came true was told once. */
export const checkAlerts = (facts: AlertFacts): readonly string[] => [
  ...facts.alerts.flatMap((alert) => checkAlert(alert, facts)),
  ...checkBriefing(facts),
  ...checkRecords(facts),
];

/** All that is to come so far has come, as far as the platform can see. */
export const isAllTold = ({ alerts, messages }: Pick<AlertFacts, 'alerts' | 'messages'>): boolean =>
  messages.some(isBriefing) &&
  alerts.every(({ id, isTold }) => !isTold || messages.some((message) => isAbout(message, id)));
