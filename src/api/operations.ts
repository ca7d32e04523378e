/**
 * The 18 operations of the API (spec, 'Endpoints'), declared once: the client calls them, `remit api` lists and runs
 * them, the sandbox serves them and its OpenAPI document describes them.
 */
import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import * as wire from './wire.ts';

export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Relative to the base URL, with `{parameters}`. */
  readonly path: string;
  readonly pathParams: TObject;
  readonly query: TObject;
  /** The request body; null where the operation takes none. */
  readonly body: TObject | null;
  /** The HTTP status of a success. */
  readonly status: 200 | 201;
  /**
   * `one` document, a whole `list`, a `page` of a list, or `any` if the spec does not show the success body: the client
   * accepts any body, and the sandbox answers with `response`.
   */
  readonly answer: 'one' | 'list' | 'page' | 'any';
  /** The document, or one item of the list. */
  readonly response: TSchema;
  readonly summary: string;
  /** The section of the spec under 'Endpoints'. */
  readonly section: string;
}

/** The sandbox's default and largest page size; the spec gives none. */
export const DEFAULT_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 100;

const paging = {
  page: Type.Optional(Type.Integer({ minimum: 1, description: 'Page number, from 1.' })),
  page_size: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `Results per page: ${DEFAULT_PAGE_SIZE} unless given, and at most ${MAX_PAGE_SIZE} (more is taken for ${MAX_PAGE_SIZE}).`,
    }),
  ),
};
const pages = Type.Object(paging);

/** The spec does not give the names of these two parameters, so the sandbox accepts `aliases` too. */
const withLocations = {
  include_locations: Type.Optional(
    Type.Boolean({
      description: "Adds each customer's locations.",
      aliases: ['with_locations', 'show_locations', 'expand_locations', 'locations'],
    }),
  ),
};
const byPhone = {
  phone_number: Type.Optional(
    Type.String({ description: 'Only the customer with this phone number.', aliases: ['phone'] }),
  ),
};
const inMonth = {
  year: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 9999, description: 'Only those issued in this year (UTC).' }),
  ),
  month: Type.Optional(Type.Integer({ minimum: 1, maximum: 12, description: 'Only those of this month of `year`.' })),
};

const noFields = Type.Object({});
const get = { method: 'GET', pathParams: noFields, query: noFields, body: null, status: 200, answer: 'one' } as const;
const getPage = { ...get, query: pages, answer: 'page' } as const;
const create = { ...get, method: 'POST', status: 201 } as const;
const patch = { ...get, method: 'PATCH' } as const;
const orderId = Type.Object({ order_id: Type.String() });
const customerId = Type.Object({ id: Type.Integer() });
const customerPk = Type.Object({ customer_pk: Type.Integer() });
const locationPk = Type.Object({ customer_pk: Type.Integer(), location_pk: Type.Integer() });
const move = { ...get, method: 'POST', pathParams: orderId, answer: 'any' } as const;
const order = { response: wire.Order, section: 'Orders' } as const;
const customer = { response: wire.Customer, section: 'Customers' } as const;
const location = { response: wire.CustomerLocation, section: 'Customer locations' } as const;

export const operations = {
  profile: {
    ...get,
    path: 'profile/',
    response: wire.Profile,
    summary: 'The organisation profile of the merchant',
    section: 'Profile',
  },
  pickups: {
    ...get,
    path: 'pickups/',
    answer: 'list',
    response: wire.PickupLocation,
    summary: "The merchant's pickup locations",
    section: 'Pickup locations',
  },
  areas: {
    ...get,
    path: 'areas/',
    answer: 'list',
    response: wire.ReducedArea,
    summary: 'The available areas',
    section: 'Areas',
  },
  createArea: {
    ...create,
    path: 'areas/create/',
    body: wire.AreaCreate,
    response: wire.Area,
    summary: 'Create an external area from coordinates',
    section: 'Areas',
  },
  orders: { ...getPage, path: 'orders/', ...order, summary: 'One page of the orders' },
  order: { ...get, path: 'orders/{order_id}/', pathParams: orderId, ...order, summary: 'One order' },
  createOrder: { ...create, path: 'orders/', body: wire.OrderCreate, ...order, summary: 'Create an order' },
  requestPickup: {
    ...move,
    path: 'orders/{order_id}/request-pickup/',
    ...order,
    summary: 'Request the pickup of an order that is CREATED',
  },
  cancelOrder: {
    ...move,
    path: 'orders/{order_id}/cancel/',
    ...order,
    summary: 'Cancel an order that is not delivered',
  },
  customers: {
    ...getPage,
    path: 'customers/',
    query: Type.Object({ ...paging, ...withLocations, ...byPhone }),
    ...customer,
    summary: 'One page of the customers, or the one with a phone number',
  },
  customer: {
    ...get,
    path: 'customers/{id}/',
    pathParams: customerId,
    query: Type.Object(withLocations),
    ...customer,
    summary: 'One customer',
  },
  createCustomer: {
    ...create,
    path: 'customers/',
    body: wire.CustomerCreate,
    ...customer,
    summary: 'Create a customer',
  },
  updateCustomer: {
    ...patch,
    path: 'customers/{id}/',
    pathParams: customerId,
    body: wire.CustomerPatch,
    ...customer,
    summary: 'Change a customer',
  },
  customerLocations: {
    ...getPage,
    path: 'customers/{customer_pk}/locations/',
    pathParams: customerPk,
    ...location,
    summary: "One page of a customer's locations",
  },
  createCustomerLocation: {
    ...create,
    path: 'customers/{customer_pk}/locations/',
    pathParams: customerPk,
    body: wire.LocationCreate,
    ...location,
    summary: 'Create a location of a customer',
  },
  updateCustomerLocation: {
    ...patch,
    path: 'customers/{customer_pk}/locations/{location_pk}/',
    pathParams: locationPk,
    body: wire.LocationPatch,
    ...location,
    summary: 'Change the directions of a location',
  },
  invoices: {
    ...getPage,
    path: 'invoices/',
    query: Type.Object({ ...inMonth, ...paging }),
    response: wire.InvoiceListItem,
    summary: 'One page of the invoices of a month, newest first, without their orders',
    section: 'Invoices',
  },
  invoice: {
    ...get,
    path: 'invoices/{invoice_number}/',
    pathParams: Type.Object({ invoice_number: Type.Integer() }),
    response: wire.InvoiceDetail,
    summary: 'One invoice with its orders',
    section: 'Invoices',
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
