import type { OperationName } from '../../api/operations.ts';
import type * as wire from '../../api/wire.ts';

const reducedArea: wire.ReducedArea = {
  id: 1,
  name_ar: 'الحمرا',
  name_en: 'Hamra',
  district: 'Beirut',
  code: 'BEY-HAM',
  lat: '33.8959',
  long: '35.4797',
};

const area: wire.Area = {
  ...reducedArea,
  maps_link: 'https://maps.google.com/?q=33.8959,35.4797',
  is_external: false,
  area_group: { id: 1, name: 'Greater Beirut' },
  tags: '',
};

const externalArea: wire.Area = {
  ...area,
  id: 140,
  name_ar: 'Ras Beirut, Bliss Street',
  name_en: 'Ras Beirut, Bliss Street',
  code: 'EXT-140',
  is_external: true,
  area_group: null,
  tags: 'external',
};

const customer: wire.Customer = {
  id: 52,
  name: 'Rana Haddad',
  phone_number: '+96170123456',
  secondary_phone_number: null,
  email: 'rana@example.com',
};

const location: wire.CustomerLocation = { id: 71, area, directions: 'Third floor, above the pharmacy' };

const order: wire.Order = {
  order_id: 'K7QM3XWD9T',
  reference_id: 'WEB-1001',
  is_exchange: false,
  workflow: 'STANDARD',
  tracking_link: 'http://127.0.0.1:8080/track/K7QM3XWD9T/',
  order_url: 'http://127.0.0.1:8080/dashboard/orders/K7QM3XWD9T/',
  is_critical: false,
  merchant_location: 1,
  cod: [
    ['USD', '25.00'],
    ['LBP', '450000.00'],
  ],
  delivery_fee: [['USD', '3.00']],
  number_of_packages: 1,
  description: 'Two shirts',
  notes: 'Call before arriving',
  return_reason: '',
  delivery_state: 'CREATED',
  payment_state: 'UNPAID',
  merchant_invoice: null,
  integration_items: [],
  source_url: '',
  statestamps: [{ delivery_state: 'CREATED', payment_state: 'UNPAID', timestamp: '2026-10-03T09:15:00.000000+00:00' }],
  customer,
  customer_location: location,
};

const pickup: wire.PickupLocation = {
  id: 1,
  name: 'Main shop',
  address: 'Hamra, Beirut',
  contact_person: 'Sami',
  contact_phone: '+9611123456',
  merchant: 1,
  district: 'Beirut',
  governorate: 'Beirut',
  city: 'Hamra',
  directions: '',
  is_default: true,
  area,
  mode: 'OPEN',
  opening_hours: null,
  utc_offset: 120,
  is_open: true,
  is_active: true,
};

const header: Omit<wire.InvoiceDetail, 'orders'> = {
  number: 1042,
  status: 'PAID',
  issued_at: '2026-10-12T08:00:00.000000+00:00',
  cod: [['USD', '25.00']],
  delivery_fee: [['USD', '3.00']],
  net_due_to_merchant: [['USD', '22.00']],
};

const invoiceItem: wire.InvoiceListItem = { ...header, status_display: 'Paid', order_count: 1 };

const invoice: wire.InvoiceDetail = {
  ...header,
  orders: [
    {
      order_id: 'K7QM3XWD9T',
      reference_id: 'WEB-1001',
      workflow: 'STANDARD',
      delivery_state: 'DELIVERED',
      payment_state: 'PAID_TO_MERCHANT',
      cod: [['USD', '25.00']],
      delivery_fee: [['USD', '3.00']],
    },
  ],
};

const profile: wire.Profile = {
  organisation_name: 'Cedar Threads',
  brand: 'Cedar Threads',
  logo_url: 'http://127.0.0.1:8080/brand/1/logo.png',
  primary_color: '#0F766E',
};

const customerCreate: wire.CustomerCreate = {
  name: 'Rana Haddad',
  phone_number: '+96170123456',
  email: 'rana@example.com',
};

const orderCreate: wire.OrderCreate = {
  merchant_location: 1,
  customer: customerCreate,
  customer_location: { area: { id: 1 }, directions: 'Third floor, above the pharmacy' },
  reference_id: 'WEB-1001',
  is_critical: false,
  is_exchange: false,
  workflow: 'STANDARD',
  cod: [['USD', '25.00']],
  number_of_packages: 1,
  description: 'Two shirts',
  notes: 'Call before arriving',
};

const locationCreate: wire.LocationCreate = {
  area: {
    name_en: 'Bliss Street',
    name_ar: 'شارع بلس',
    district: 'Beirut',
    lat: '33.8997',
    long: '35.4812',
    maps_link: 'https://maps.google.com/?q=33.8997,35.4812',
    is_external: true,
  },
  directions: 'Opposite the main gate',
};

const customerPatch: wire.CustomerPatch = { name: 'Rana Haddad Khoury' };
const locationPatch: wire.LocationPatch = { directions: 'Ring twice' };
const areaCreate: wire.AreaCreate = { lat: 33.8997, lng: 35.4812, name: 'Ras Beirut, Bliss Street' };

/** An example of each operation's answer (for a list, of one item) and body. */
export const EXAMPLES: Readonly<Record<OperationName, { answer: object; body?: object }>> = {
  orders: { answer: order },
  createOrder: { answer: order, body: orderCreate },
  order: { answer: order },
  requestPickup: { answer: { ...order, delivery_state: 'PICKUP_REQUESTED' } },
  cancelOrder: { answer: { ...order, delivery_state: 'CANCELLED' } },
  customers: { answer: customer },
  createCustomer: { answer: customer, body: customerCreate },
  customer: { answer: { ...customer, locations: [location] } },
  updateCustomer: { answer: { ...customer, ...customerPatch }, body: customerPatch },
  customerLocations: { answer: location },
  createCustomerLocation: { answer: { ...location, ...locationPatch }, body: locationCreate },
  updateCustomerLocation: { answer: { ...location, ...locationPatch }, body: locationPatch },
  areas: { answer: reducedArea },
  createArea: { answer: externalArea, body: areaCreate },
  pickups: { answer: pickup },
  invoices: { answer: invoiceItem },
  invoice: { answer: invoice },
  profile: { answer: profile },
};
