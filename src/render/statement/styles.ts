/** The styles of the statement's Summary and About sheets. */
import type { AmountLook } from '../workbook/amounts.ts';
import type { Style } from '../workbook/model.ts';

export const LABEL: Style = { colour: '595959' };
export const TEXT_STYLE: Style = { align: 'left', wrap: true };
export const STRONG: Style = { bold: true, align: 'left' };
export const SECTION: Style = { bold: true, size: 12, rule: 'below' };
/** The height of a section's title, in points. */
export const SECTION_HEIGHT = 20;
export const HEAD: Style = { bold: true, colour: '595959', rule: 'below' };
export const HEAD_RIGHT: Style = { ...HEAD, align: 'right' };
/** Room between a column of figures and the texts to its right. */
export const HEAD_APART: Style = { ...HEAD, align: 'left', indent: 1 };
export const LINE: Style = { rule: 'hair', align: 'left', wrap: true };
export const COUNT: Style = { rule: 'hair', format: '#,##0', align: 'right' };
export const COUNT_CHANGE: Style = { ...COUNT, format: '#,##0;-#,##0' };
export const APART: Style = { ...LINE, indent: 1 };
export const AMOUNT_LOOK: AmountLook = { rule: 'hair' };
export const SUBTOTAL: Style = { bold: true, rule: 'above', align: 'left' };
export const SUBTOTAL_AMOUNT: AmountLook = { bold: true, rule: 'above' };
export const TOTAL: Style = { bold: true, rule: 'total', align: 'left' };
export const TOTAL_AMOUNT: AmountLook = { bold: true, rule: 'total' };
/** A code of remit's, the same in every language. */
export const CODE: Style = { rule: 'hair', align: 'left', indent: 1, colour: '595959', size: 9 };
export const INDENTED: Style = { rule: 'hair', align: 'left', indent: 1 };
export const HINT: Style = { italic: true, colour: '7F7F7F', size: 9, wrap: true };
export const WARNING: Style = { fill: 'FFF2CC', colour: '7F6000', wrap: true, align: 'left' };
export const GOOD: Style = { bold: true, fill: 'E2EFDA', colour: '375623', wrap: true, align: 'left' };
export const BAD: Style = { bold: true, fill: 'FCE4E4', colour: '9C0006', wrap: true, align: 'left' };
/** What a condition changes of a cell that has a style already. */
export const GOOD_FIGURE: Style = { fill: 'E2EFDA', colour: '375623', bold: true };
export const DOUBTFUL_FIGURE: Style = { fill: 'FFF2CC', colour: '7F6000', bold: true };
export const BAD_FIGURE: Style = { fill: 'FCE4E4', colour: '9C0006', bold: true };
export const TIME: Style = { ...LINE, format: 'yyyy-mm-dd hh:mm:ss' };
export const MOVED: Style = { bold: true, fill: 'FFF2CC' };
export const LINK: Style = { rule: 'hair', align: 'right', colour: '0563C1' };
export const SIGN_HERE: Style = { colour: '595959', align: 'right', vertical: 'bottom', indent: 1 };
export const BLANK_LINE: Style = { rule: 'below' };
