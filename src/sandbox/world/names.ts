/** The names, notes and goods of a seeded world: Latin and Arabic, with emoji and characters that files must quote. */

export const NAMES_LATIN = [
  'Rami Haddad',
  'Nour El Khoury',
  'Maya Fakhoury',
  'Georges Abi Nader',
  'Lea Sfeir',
  "Dana O'Connor-Saab",
  'Karim Zein',
  'Tala Mansour',
  'Elie Chidiac',
  'Yara Bou Malhab',
  'Joëlle Ghanem',
  'Hassan Mroue',
];

export const NAMES_ARABIC = [
  'ريم الحداد',
  'كريم منصور',
  'نور الخوري',
  'مايا فخوري',
  'حسن مروة',
  'ليلى شمس الدين',
  'جورج أبي نادر',
  'زينب حمود',
  'علي عيتاني',
  'سارة قباني',
];

export const NAMES_WITH_EMOJI = ['Lynn 🌸', 'Abu Ali 💪🏽', 'تالا ✨', 'Zeina 👩‍👧‍👦', 'Chez Toni 🍕'];

export const DIRECTIONS = [
  '',
  'Building 14, 3rd floor, ring twice',
  'Facing the pharmacy, blue gate',
  'مقابل الفرن، الطابق الثاني',
  'خلف المدرسة الرسمية',
  'Next to "Café Younes", ask the concierge',
  'No lift ⚠️ 5th floor',
];

/** Each with its price in cents. */
export const GOODS = [
  ['Linen shirt', 2490],
  ['Cotton scarf', 1250],
  ['Olive oil soap, set of 6', 1800],
  ['Zaatar 500 g', 675],
  ['Copper coffee pot', 3499],
  ['Notebook, A5', 899],
  ['عباءة مطرزة', 5500],
  ['Silver ring, size 7', 4250],
] as const;

export const NOTES = [
  '',
  '',
  '',
  '',
  'Call before arriving',
  'الرجاء الاتصال قبل الوصول',
  'Fragile! 🏺 handle with care',
  'هدية 🎁 بدون فاتورة',
  'Leave with the neighbour, "Mrs. Salma"\nshe is home until 5',
  '-after 6 pm only',
  '=gift; no price tag please',
  '+961 number does not answer, use WhatsApp',
];

/** The merchants of a seeded world. The second shows that one merchant cannot see another's data. */
export const MERCHANTS = [
  { name: 'Cedar Threads', brand: 'Cedar Threads', branches: ['BEY-ACH', 'KES-JOU'] },
  { name: 'Beit Zaatar', brand: 'بيت الزعتر', branches: ['SAI-SAI'] },
];

/** The directions to a pickup location: "near the square of ...". */
export const nearSquare = (area: string) => `قرب ساحة ${area}`;

/** The shop's order number in the forms that shops use, one of which is drawn; one in twelve orders has none. */
export const references = (seq: number) => [
  '',
  ...[`#${seq}`, `#${seq}`, `#${seq}`, `#${seq}`],
  ...[`SO-2026-${seq}`, `SO-2026-${seq}`, `SO-2026-${seq}`],
  ...[String(seq).padStart(8, '0'), String(seq).padStart(8, '0'), String(seq).padStart(8, '0')],
  `طلب-${seq}`,
];

/** An area that the company does not have. */
export const REMOTE_AREA = { name_ar: 'الهرمل', name_en: 'Hermel' };

/** The notes in the shop's order book. */
export const BOOK_NOTES = ['', '', '', 'call before delivery', 'Rana, 2nd floor', 'قبل الظهر', '"fragile"'];

export const RETURN_REASONS = ['Wrong size', 'Damaged on arrival', 'المقاس غير مناسب', 'Changed their mind'];
