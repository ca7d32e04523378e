/** What files are written as. It imports nothing: the command line reads it at each start. */

/** Of journals. */
export const JOURNAL_FORMATS = ['hledger', 'beancount', 'csv', 'xero', 'quickbooks'] as const;
export type JournalFormat = (typeof JOURNAL_FORMATS)[number];

/** Of the shop's paid orders. */
export const SHOP_FORMATS = ['shopify', 'woocommerce'] as const;
export type ShopFormat = (typeof SHOP_FORMATS)[number];
