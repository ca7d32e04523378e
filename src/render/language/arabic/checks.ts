/** What each check finds, in a few words, by code. */
export const ARABIC_CHECKS: Readonly<Record<string, string>> = {
  'invoice-cod-total': 'المحصَّل في رأس الفاتورة ليس مجموع أسطرها',
  'invoice-fee-total': 'الرسم في رأس الفاتورة ليس مجموع أسطرها',
  'invoice-net': 'الصافي المذكور ليس المحصَّل ناقص الرسم',
  'invoice-order-count': 'عدد الطلبات في القائمة ليس عدد أسطر الفاتورة',
  'invoice-list-detail': 'القائمة والفاتورة نفسها لا تتفقان',
  'order-repeated': 'طلب مكرّر في فاتورة واحدة',
  'order-on-two-invoices': 'طلب في فاتورتين',
  'invoice-in-two-months': 'فاتورة في قائمتَي شهرين',
  'paid-state-conflict': 'حالة الدفع في الفاتورة وفي طلباتها متعارضة',
  'status-unknown': 'حالة لا تذكرها وثائق شركة التوصيل',
  'cod-without-delivery': 'مبلغ محصَّل من دون تسليم',
  'fee-on-cancelled': 'رسم على طلب ملغى',
  'payment-overdue': 'فاتورة تأخّر سدادها',
  'implied-rate': 'سعر الصرف الضمني ليس سعر الجدول',
  'not-comparable': 'لا يُقارن: لا سجلّ، أو سجلّ أقدم',
  'order-amount-differs': 'سطر الفاتورة يخالف سجلّ الطلب',
  'order-invoice-link': 'الطلب لا يذكر الفاتورة التي تذكره',
  'order-unknown': 'طلب في فاتورة لا سجلّ له عندنا',
  'delivered-not-invoiced': 'سُلّم وليس في أي فاتورة',
  'state-regressed': 'حالة طلب عادت إلى الوراء',
  'duplicate-reference': 'مرجع واحد لطلبين',
  'invoice-restated': 'فاتورة عُدّلت بعد صدورها',
  'invoice-vanished': 'فاتورة اختفت من القائمة',
  'order-restated': 'سجلّ طلب تغيّر بعد التسليم',
  'order-vanished': 'طلب اختفى من سجلّ الطلبات',
  'closed-period-changed': 'رقم في شهر مقفل تغيّر',
  'document-malformed': 'ردّ من الشركة لا يُقرأ',
  'listing-incomplete': 'القائمة لم تأتِ كاملة',
  'book-cod-differs': 'المحصَّل يخالف سجلّ التاجر',
  'not-in-books': 'طلب عند الشركة ليس في سجلّ التاجر',
  'not-at-courier': 'طلب سلّمه التاجر ولا تعرفه الشركة',
  'remittance-missing': 'مذكورة مدفوعة ولم يصل مال',
  'remittance-short': 'وصل أقل من المستحق',
  'remittance-over': 'وصل أكثر من المستحق',
  'receipt-unmatched': 'مال من الشركة لا يطابق أي فاتورة',
  'receipt-ambiguous': 'مقبوض له أكثر من تفسير',
  'fee-off-tariff': 'الرسم ليس المتفق عليه',
  'fee-no-tariff': 'لا سعر متفقًا عليه للطلب',
};

/**
 * What is wrong in Arabic, and under it the sentence as the check made it, which names places, figures and the remedy. Its full stop
 * goes: at the end of a line from right to left it would stand before the sentence.
 */
export function sayArabicMismatch(code: string, sentence: string): string {
  const words = ARABIC_CHECKS[code];
  return words === undefined ? sentence : `${words}.\n${sentence.replace(/\.$/, '')}`;
}
