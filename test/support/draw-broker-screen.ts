import { join } from 'node:path';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import type { PictureForm } from '#src/features/portfolio/import/pictures/picture-form.ts';

/** How an invented app looks. */
export interface ScreenStyle {
  readonly name: string;
  readonly language: 'ko' | 'en';
  readonly isDark: boolean;
  readonly style: 'list' | 'card' | 'table';
}

const FAMILY = 'Pretendard';
const FONTS = join(import.meta.dirname, '../../src/markets/charts/fonts');
const WIDTH = 390;
const LINE = 22;
const MARGIN = 16;

const LABELS: Readonly<Record<string, string>> = {
  name: '종목명',
  side: '구분',
  date: '체결일',
  quantity: '수량',
  averagePrice: '평균단가',
  price: '현재가',
  cost: '매입금액',
  value: '평가금액',
  gain: '평가손익',
  gainPercent: '수익률',
  fee: '수수료',
  tax: '세금',
  settled: '정산금액',
  currency: '통화',
  cash: '예수금',
  bought: '매수합계',
  count: '종목수',
};

interface Mark {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly align: 'left' | 'right';
  readonly isMuted: boolean;
}

type Cells = readonly (readonly [label: string, text: string])[];

/** Labels and numbers below each other. */
const listMarks = (block: Cells, top: number): readonly Mark[] =>
  block.flatMap(([label, text], index): readonly Mark[] => {
    const y = top + index * LINE;
    return [
      { text: label, x: MARGIN, y, align: 'left', isMuted: true },
      { text, x: WIDTH - MARGIN, y, align: 'right', isMuted: false },
    ];
  });

/** The name on the left, the numbers in two columns beside it. */
const cardMarks = ([first, ...others]: Cells, top: number): readonly Mark[] => [
  { text: first?.[1] ?? '', x: MARGIN, y: top, align: 'left', isMuted: false },
  ...others.map(([label, text], index): Mark => ({
    text: `${label} ${text}`,
    x: index % 2 === 0 ? WIDTH / 2 + MARGIN : WIDTH - MARGIN,
    y: top + (1 + Math.floor(index / 2)) * LINE,
    align: 'right',
    isMuted: index % 2 === 0,
  })),
];

/** Columns of two lines each, as in a trading program. */
const tableMarks = (block: Cells, top: number): readonly Mark[] =>
  block.map(([, text], index): Mark => ({
    text,
    x: index < 2 ? MARGIN : MARGIN + Math.ceil((index - 1) / 2) * ((WIDTH - 2 * MARGIN) / 4),
    y: top + (index % 2) * LINE,
    align: index < 2 ? 'left' : 'right',
    isMuted: index % 2 === 1,
  }));

const MARKS = { list: listMarks, card: cardMarks, table: tableMarks };

/** Draws what the form says, as a phone shows it. */
export const drawScreen = (
  { rows, totals, asOf }: PictureForm,
  { name, language, isDark, style }: ScreenStyle,
): Buffer => {
  if (!GlobalFonts.has(FAMILY)) GlobalFonts.registerFromPath(join(FONTS, 'Pretendard-Regular.otf'), FAMILY);
  const cellsOf = (each: object): Cells =>
    Object.entries(each).map(([field, text]) => [
      language === 'ko' ? (LABELS[field] ?? field) : field.replaceAll(/[A-Z]/gu, ' $&').toLowerCase(),
      String(text),
    ]);
  let bottom = 2 * LINE;
  const marks: Mark[] = [...listMarks([[name, asOf ?? '']], bottom)];
  const place = (block: Cells, write: (block: Cells, top: number) => readonly Mark[]): void => {
    const placed = write(block, bottom + 1.5 * LINE);
    bottom = Math.max(...placed.map(({ y }) => y));
    marks.push(...placed);
  };
  for (const total of totals ?? []) place(cellsOf(total), listMarks);
  for (const row of rows) place(cellsOf(row), MARKS[style]);
  const canvas = createCanvas(WIDTH, bottom + 2 * LINE);
  const context = canvas.getContext('2d');
  context.fillStyle = isDark ? '#17171c' : '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.font = `${style === 'table' ? 12 : 14}px ${FAMILY}`;
  for (const { text, x, y, align, isMuted } of marks) {
    context.fillStyle = isMuted ? '#8b95a1' : isDark ? '#e4e4e5' : '#191f28';
    context.textAlign = align;
    context.fillText(text, x, y);
  }
  return canvas.toBuffer('image/png');
};
