import { type ColumnMap, type ImportKind, MAP_FIELDS, RATE_FIELDS } from './column-map.ts';

/** Columns with the names of their fields as headers. */
const fieldsAsHeaders = (kind: ImportKind): Record<string, string> =>
  Object.fromEntries(MAP_FIELDS[kind].all.map((field) => [field, field]));

interface BuiltInMap {
  readonly map: ColumnMap<string>;
  /** It is recognised by these headers, if a file has all of them; a list is one header with several names. */
  readonly recognisedBy: readonly (string | readonly string[])[];
}

/** The headers of WooCommerce's exporters for each field, the clearest first. */
export const WOOCOMMERCE_HEADERS = {
  reference: ['order number', 'order_number', 'order id', 'order_id'],
  ordered_on: ['order date', 'order_date', 'date created', 'date_created', 'date'],
  status: ['order status', 'order_status', 'status'],
  currency: ['order currency', 'order_currency', 'currency', 'currency code'],
  total: ['order total amount', 'order_total', 'order total', 'total'],
  method: ['payment method', 'payment_method'],
  title: ['payment method title', 'payment_method_title'],
  district: ['city (shipping)', 'shipping_city', 'shipping city'],
  note: ['customer note', 'customer_note'],
} as const;

/** The headers of a Shopify orders export that are read, of its 34 to 79 columns. */
export const SHOPIFY_HEADERS = {
  reference: 'Name',
  id: 'Id',
  ordered_on: 'Created at',
  paid: 'Financial Status',
  fulfilled: 'Fulfillment Status',
  currency: 'Currency',
  total: 'Total',
  outstanding: 'Outstanding Balance',
  cancelled: 'Cancelled at',
  method: 'Payment Method',
  district: 'Shipping City',
  note: 'Notes',
} as const;

/**
 * The maps that need no setting; the first whose headers a file has is used. Remit's maps come before those of shops:
 * no shop's export has all of their headers.
 */
export const BUILT_IN_MAPS: readonly BuiltInMap[] = [
  {
    map: { name: 'orders', kind: 'orders', columns: fieldsAsHeaders('orders') },
    recognisedBy: ['reference', 'ordered_on', 'status', 'currency', 'cod'],
  },
  {
    map: { name: 'shopify', kind: 'orders', columns: {}, shop: 'shopify' },
    recognisedBy: ['name', 'financial status', 'total', 'currency', 'created at'],
  },
  {
    map: { name: 'woocommerce', kind: 'orders', columns: {}, shop: 'woocommerce' },
    recognisedBy: [
      WOOCOMMERCE_HEADERS.reference,
      WOOCOMMERCE_HEADERS.status,
      WOOCOMMERCE_HEADERS.total,
      [...WOOCOMMERCE_HEADERS.method, ...WOOCOMMERCE_HEADERS.title],
    ],
  },
  {
    map: {
      name: 'cash-book',
      kind: 'receipts',
      columns: { date: 'date', amount: 'amount', currency: 'currency', text: 'text', invoice: 'invoice' },
    },
    recognisedBy: ['date', 'amount', 'currency', 'text', 'invoice'],
  },
  {
    map: { name: 'tariff', kind: 'tariff', columns: fieldsAsHeaders('tariff') },
    recognisedBy: ['workflow', 'district', 'area', 'merchant_location', 'from', 'to', 'currency', 'fee'],
  },
  {
    map: { name: 'rates', kind: 'rates', columns: fieldsAsHeaders('rates') },
    recognisedBy: ['date', 'from', 'to', 'rate'],
  },
];

/**
 * Words by which a column's field is guessed. Lines are read by a guess only if a person confirmed it; a guessed column
 * of running balances only proves the lines.
 */
export const HEADER_WORDS: Record<ImportKind, Readonly<Record<string, RegExp>>> = {
  receipts: {
    debit: /^(debits?|withdrawals?|paid out|money out|debit amount|soll|débit|مدين)$/i,
    credit: /^(credits?|deposits?|paid in|money in|credit amount|haben|crédit|دائن)$/i,
    amount: /^(amount|transaction amount|betrag|montant|importe|المبلغ)$/i,
    sign: /^(c\/d|d\/c|dr\/cr|cr\/dr|indicator|credit\/debit)$/i,
    date: /^((booking|posting|transaction|trans\.?|value)? ?date|buchung|buchungstag|date d'opération|fecha|التاريخ)$/i,
    currency: /^(currency|cur\.?|ccy|währung|waehrung|devise|العملة)$/i,
    text: /^(text|description|details|narrative|memo|particulars|reference|verwendungszweck|libellé|البيان)$/i,
    counterparty: /^(counterparty|payer|payee|beneficiary|name|from\/to|auftraggeber)$/i,
    account: /^(account|account number|account no\.?|iban)$/i,
    balance: /^((running|account|book) )?balance$|^(solde|saldo|(ال)?رصيد)$/i,
    id: /^(id|transaction id|transaction no\.?|bank reference)$/i,
    invoice: /^(invoice|invoice number|invoice no\.?)$/i,
  },
  orders: {
    reference: /^(reference|order|order ?(no\.?|number|id|#)|order_(number|id)|name)$/i,
    ordered_on: /^(ordered[ _]on|order[ _]date|date|created at|created)$/i,
    status: /^((order )?(status|state))$/i,
    currency: /^(currency|cur\.?|ccy)$/i,
    cod: /^(cod|cod amount|cash on delivery|collect|amount to collect|to collect)$/i,
    district: /^(district|city|region|governorate)$/i,
    note: /^(notes?|comments?)$/i,
  },
  settlement: {
    invoice:
      /^((settlement|payout|payment|remittance|invoice|batch|statement)( ?(no\.?|number|id|#|ref))?|رقم (الدفعة|التسوية|الحوالة))$/i,
    issued_on:
      /^((settlement|payout|payment|remittance|invoice|transfer|paid)[ _](date|on)|issued[ _]on|date|التاريخ|تاريخ (الدفع|الدفعة|التحويل|التسوية))$/i,
    status: /^((settlement|payout|payment) ?status|status)$/i,
    order:
      /^(order|order[ _]?(no\.?|number|id|#)|shipment( ?(no\.?|id))?|awb( ?(no\.?|number))?|waybill|tracking( ?(no\.?|number|id))?|رقم (الطلب|الشحنة|البوليصة))$/i,
    reference:
      /^(reference|ref\.?|reference[ _](id|no\.?)|(shop|merchant|your|client|customer) (order|ref(erence)?)( no\.?)?|المرجع|رقم المرجع)$/i,
    workflow: /^(workflow|type|service|shipment type|order type)$/i,
    delivered_on: /^(delivered[ _]on|delivery date|delivered( at| date)?)$/i,
    currency: /^(currency|cur\.?|ccy|العملة)$/i,
    cod: /^(cod|cod amount|cash on delivery|collected( amount)?|amount collected|المحصل|(قيمة|مبلغ) التحصيل|المبلغ المحصل)$/i,
    fee: /^((delivery|shipping|total) ?(fees?|charges?)|fees?|charges?|رسم التوصيل|رسوم التوصيل|أجرة التوصيل)$/i,
    net: /^(net|net (due|amount|payable|payout)|payable|to merchant|الصافي|المبلغ الصافي|صافي المبلغ)$/i,
  },
  tariff: {
    courier: /^(courier|carrier|delivery company)$/i,
    workflow: /^(workflow|service|service type)$/i,
    district: /^(district|city|region|governorate|المنطقة)$/i,
    area: /^(area|zone)$/i,
    merchant_location: /^(merchant[ _]location|pickup( location)?)$/i,
    from: /^((valid )?from|start( date)?)$/i,
    to: /^((valid )?(to|until)|end( date)?)$/i,
    currency: /^(currency|cur\.?|ccy|العملة)$/i,
    fee: /^((delivery )?(fee|price|charge|rate)|tariff|السعر)$/i,
    per_package: /^per[ _]package$/i,
    charge: /^(charge kind|kind of charge|charge type)$/i,
    percent: /^(percent(age)?|%|rate %|% of cod)$/i,
    min: /^(min(imum)?)$/i,
    max: /^(max(imum)?)$/i,
    cod_from: /^cod[ _]from$/i,
    cod_to: /^cod[ _]to$/i,
    weight_from: /^weight[ _]from$/i,
    weight_to: /^weight[ _]to$/i,
  },
  rates: Object.fromEntries(RATE_FIELDS.map((field) => [field, new RegExp(`^${field}$`, 'i')])),
};
