import type { CustomerPatch } from '../../api/wire.ts';
import type { Problems } from '../http/errors.ts';
import type { CustomerRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const MAX_EMAIL = 254;

export function findCustomer(store: Store, merchant: number, id: number): CustomerRow | undefined {
  return store.get<CustomerRow>('select * from customer where id = ? and merchant_id = ?', id, merchant);
}

/**
 * A phone number as it is stored: trimmed. A leading plus that was not encoded in a form or query arrives as a space,
 * and becomes a plus again.
 */
function phoneOf(text: string): string {
  return text.replace(/^ (?=[0-9])/, '+').trim();
}

/** Finds a merchant's customer by phone number; at most one has it (spec, 'Limits'). */
export function findCustomerByPhone(store: Store, merchant: number, phone: string): CustomerRow | undefined {
  const sql = 'select * from customer where merchant_id = ? and phone_number = ?';
  return store.get<CustomerRow>(sql, merchant, phoneOf(phone));
}

/**
 * Notes the faults of a customer's fields: a blank or taken phone number, an invalid email address.
 *
 * @param prefix precedes the field names, such as `customer.`
 * @param changedId the customer that is changed; undefined for a new one
 */
export function checkCustomer(
  store: Store,
  merchant: number,
  fields: CustomerPatch,
  changedId: number | undefined,
  problems: Problems,
  prefix = '',
): void {
  const { phone_number: phone, email } = fields;
  if (phone !== undefined) {
    if (phone.trim() === '') problems.add(`${prefix}phone_number`, 'This field may not be blank.');
    const holder = findCustomerByPhone(store, merchant, phone);
    if (holder && holder.id !== changedId) {
      problems.add(`${prefix}phone_number`, 'A customer with this phone number already exists.');
    }
  }
  if (email && (email.length > MAX_EMAIL || !EMAIL.test(email))) {
    problems.add(`${prefix}email`, 'Enter a valid email address.');
  }
}

/** Makes a customer from checked fields. @returns its id */
export function insertCustomer(
  store: Store,
  merchant: number,
  { name = '', phone_number, secondary_phone_number = null, email = '' }: CustomerPatch & { phone_number: string },
): number {
  const customer = { merchant_id: merchant, name, phone_number: phoneOf(phone_number), secondary_phone_number, email };
  return store.insert('customer', customer);
}

/** Changes a customer's fields that were sent, after their check. */
export function updateCustomer(store: Store, row: CustomerRow, fields: CustomerPatch): void {
  const { name, phone_number, secondary_phone_number, email } = { ...row, ...fields };
  store.run(
    `update customer set name = ?, phone_number = ?, secondary_phone_number = ?, email = ?
     where id = ?`,
    [name, phoneOf(phone_number), secondary_phone_number, email, row.id],
  );
}
