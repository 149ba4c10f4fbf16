import type { ApprovalId, Timestamp } from '../ids.ts';
import { type Locale, localized } from '../locale.ts';
import type { NotAdmitted } from '../actor.ts';
import type { ApprovalOutcome, ApprovalRequest } from '../ports.ts';
import { shortened } from '../text.ts';
import { voiceTexts } from './voice.ts';

interface Question {
  readonly summary: string;
  readonly why: string;
  readonly minutes: number;
  /** Named in chats that others read. */
  readonly requester: string | undefined;
  readonly isRepeated: boolean;
}

/** Approval requests for tool calls. */
const approvalsEn = {
  ask: (p: Question) =>
    `❓ **${p.requester === undefined ? 'May I do this?' : `May I do this for ${p.requester}?`}** ${p.why}${p.isRepeated ? ' (I asked this before I was restarted.)' : ''}\n${p.summary}\n_Without an answer within ${p.minutes} ${p.minutes === 1 ? 'minute' : 'minutes'} I will not do it._`,
  why: {
    own: () => 'It changes what I keep for you.',
    transactional: () => 'It changes something that cannot simply be undone.',
    loop: () => 'I have made the same call again and again.',
    policy: () => 'This bot is set up to ask first.',
    afterOthers: () => 'I read words of others for this question, so I ask first.',
  },
  yesNo: () => 'Type **y** to allow it or **n** to refuse it.',
  byCommand: (p: { readonly code: string }) =>
    `Allow it with \`/approve ${p.code}\`, refuse it with \`/deny ${p.code}\`.`,
  approved: (p: { readonly what: string }) => `Allowed: ${p.what}`,
  denied: (p: { readonly what: string }) => `Refused, and not done: ${p.what}`,
  givenUp: (p: { readonly what: string }) => `I did not do this, it was given up: ${p.what}`,
  passedOver: (p: { readonly what: string }) =>
    `I did not do this, because you went on to something else: ${p.what}. Say **again** and I will ask once more.`,
  unclear: (p: { readonly what: string }) =>
    `I could not tell whether that was a yes or a no, so nothing is done yet. Please answer **yes** or **no**: ${p.what}?`,
  which: (p: { readonly acts: readonly string[] }) =>
    `Which one do you mean? Please answer with its number, or with **all**.\n${p.acts.map((act, index) => `${index + 1}. ${act}`).join('\n')}`,
  expired: (p: { readonly what: string }) =>
    `The time to answer was up, so this was not done: ${p.what}. Say **again** and I will ask once more.`,
  /** Before something that was picked by its number is deleted. */
  sure: (p: { readonly what: string }) => `${p.what}: are you sure? Type **y** or **n**.`,
  declined: () => 'All right, I did nothing.',
  notYours: () => 'Only the person who asked, or one of the configured approvers, can decide this.',
  tooLate: () => 'This was decided before, or its time was up. Nothing was done now.',
  unknown: () => 'There is no such question here, or not any more. Nothing was done.',
  nothing: () => 'Nothing is waiting for a decision here.',
  several: (p: { readonly codes: string }) =>
    `Several things are waiting for a decision. Which one?\n${p.codes}`,
  waiting: (p: { readonly codes: string }) => `This is waiting for a decision:\n${p.codes}`,
};

const approvalsKo: typeof approvalsEn = {
  ask: (p) =>
    `❓ **${p.requester === undefined ? '이 작업을 해도 될까요?' : `${p.requester} 님의 요청입니다. 이 작업을 해도 될까요?`}** ${p.why}${p.isRepeated ? ' (다시 시작되기 전에 드렸던 질문입니다.)' : ''}\n${p.summary}\n_${p.minutes}분 안에 답이 없으면 하지 않습니다._`,
  why: {
    own: () => '저장해 둔 회원님 정보를 바꾸는 작업입니다.',
    transactional: () => '쉽게 되돌릴 수 없는 변경입니다.',
    loop: () => '같은 호출이 계속 반복되고 있습니다.',
    policy: () => '먼저 여쭤보도록 설정되어 있습니다.',
    afterOthers: () => '이 질문에 답하면서 다른 사람의 글을 읽어서 먼저 여쭤봅니다.',
  },
  yesNo: () => '허용하려면 **y**, 거절하려면 **n**을 입력해 주세요.',
  byCommand: (p) => `허용하려면 \`/approve ${p.code}\`, 거절하려면 \`/deny ${p.code}\`를 입력해 주세요.`,
  approved: (p) => `허용했습니다: ${p.what}`,
  denied: (p) => `거절하셔서 하지 않습니다: ${p.what}`,
  givenUp: (p) => `취소되어 하지 않았습니다: ${p.what}`,
  passedOver: (p) =>
    `다른 말씀을 하셔서 하지 않았습니다: ${p.what}. **다시**라고 하시면 다시 여쭤보겠습니다.`,
  unclear: (p) =>
    `네인지 아니요인지 알 수 없어 아직 아무것도 하지 않았습니다. **네** 또는 **아니요**로 답해 주세요: ${p.what}`,
  which: (p) =>
    `어느 것을 말씀하시나요? 번호로, 전부라면 **모두**라고 답해 주세요.\n${p.acts.map((act, index) => `${index + 1}. ${act}`).join('\n')}`,
  expired: (p) => `답하실 시간이 지나 하지 않았습니다: ${p.what}. **다시**라고 하시면 다시 여쭤보겠습니다.`,
  sure: (p) => `${p.what}: 정말 진행할까요? **y** 또는 **n** 을 입력해 주세요.`,
  declined: () => '알겠습니다. 아무것도 하지 않았습니다.',
  notYours: () => '질문하신 분이나 지정된 승인자만 결정할 수 있습니다.',
  tooLate: () => '이미 결정되었거나 시간이 지났습니다. 지금은 아무 작업도 하지 않았습니다.',
  unknown: () => '그런 승인 요청은 없거나 이미 끝났습니다. 아무 작업도 하지 않았습니다.',
  nothing: () => '결정을 기다리는 작업이 없습니다.',
  several: (p) => `결정을 기다리는 작업이 여러 개입니다. 어느 것인가요?\n${p.codes}`,
  waiting: (p) => `결정을 기다리는 작업:\n${p.codes}`,
};

export const approvalTexts = localized({ en: approvalsEn, ko: approvalsKo });

const CODE_LENGTH = 6;

/** What people type to name an approval request: the end of its id, which is random. */
export const approvalCode = (id: ApprovalId): string => id.slice(-CODE_LENGTH).toLowerCase();

/** The action that waits for approval, in one line. */
export const approvalAction = ({
  summary,
  toolName,
}: Pick<ApprovalRequest, 'summary' | 'toolName'>): string =>
  summary.split('\n', 1)[0]?.replace(/^> /, '') || toolName;

/** The question without the instructions for answering it, which differ by platform. */
export const approvalQuestion = (
  request: ApprovalRequest,
  clock: { readonly now: () => Timestamp },
): string => {
  const { summary, reason: why, requesterName, heard, isRepeated, expiresAt, locale } = request;
  const minutes = Math.max(1, Math.ceil(clock.now().until(expiresAt).total('minutes')));
  const requester = requesterName === undefined ? undefined : shortened(requesterName);
  const question = approvalTexts(locale).ask({ summary, why, minutes, requester, isRepeated });
  return heard === undefined ? question : `${voiceTexts(locale).heard({ words: heard })}\n\n${question}`;
};

/** Why a decision was not recorded. Undefined if it was: the resumed run says the rest itself. */
export const approvalProblem = (
  result: ApprovalOutcome | NotAdmitted,
  locale: Locale,
): string | undefined => {
  const t = approvalTexts(locale);
  switch (result.outcome) {
    case 'not-admitted':
      return result.text;
    case 'recorded':
      return undefined;
    case 'refused':
      return t.notYours();
    case 'too-late':
      return t.tooLate();
    case 'unknown':
      return t.unknown();
  }
  return result satisfies never;
};
