/**
 * The 18 operations of the API (spec, 'Endpoints'), declared once: the client calls them, `remit api` lists and runs
 * them, the sandbox serves them and its OpenAPI document describes them.
 */
import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import {
  Area,
  AreaCreate,
  Customer,
  CustomerCreate,
  CustomerLocation,
  CustomerPatch,
  InvoiceDetail,
  InvoiceListItem,
  LocationCreate,
  LocationPatch,
  Order,
  OrderCreate,
  PickupLocation,
  Profile,
  ReducedArea,
} from './wire.ts';

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

const noFields = Type.Object({});
const noInput = { pathParams: noFields, query: noFields, body: null, status: 200 } as const;
const get = { ...noInput, method: 'GET' } as const;
const post = { ...noInput, method: 'POST' } as const;
const create = { ...post, status: 201 } as const;
const patch = { ...noInput, method: 'PATCH' } as const;
const orderId = Type.Object({ order_id: Type.String() });
const customerId = Type.Object({ id: Type.Integer() });
const customerPk = Type.Object({ customer_pk: Type.Integer() });

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

export const operations = {
  profile: {
    ...get,
    path: 'profile/',
    answer: 'one',
    response: Profile,
    summary: 'The organisation profile of the merchant',
    section: 'Profile',
  },
  pickups: {
    ...get,
    path: 'pickups/',
    answer: 'list',
    response: PickupLocation,
    summary: "The merchant's pickup locations",
    section: 'Pickup locations',
  },
  areas: {
    ...get,
    path: 'areas/',
    answer: 'list',
    response: ReducedArea,
    summary: 'The available areas',
    section: 'Areas',
  },
  createArea: {
    ...create,
    path: 'areas/create/',
    body: AreaCreate,
    answer: 'one',
    response: Area,
    summary: 'Create an external area from coordinates',
    section: 'Areas',
  },
  orders: {
    ...get,
    path: 'orders/',
    query: pages,
    answer: 'page',
    response: Order,
    summary: 'One page of the orders',
    section: 'Orders',
  },
  order: {
    ...get,
    path: 'orders/{order_id}/',
    pathParams: orderId,
    answer: 'one',
    response: Order,
    summary: 'One order',
    section: 'Orders',
  },
  createOrder: {
    ...create,
    path: 'orders/',
    body: OrderCreate,
    answer: 'one',
    response: Order,
    summary: 'Create an order',
    section: 'Orders',
  },
  requestPickup: {
    ...post,
    path: 'orders/{order_id}/request-pickup/',
    pathParams: orderId,
    answer: 'any',
    response: Order,
    summary: 'Request the pickup of an order that is CREATED',
    section: 'Orders',
  },
  cancelOrder: {
    ...post,
    path: 'orders/{order_id}/cancel/',
    pathParams: orderId,
    answer: 'any',
    response: Order,
    summary: 'Cancel an order that is not delivered',
    section: 'Orders',
  },
  customers: {
    ...get,
    path: 'customers/',
    query: Type.Object({ ...paging, ...withLocations, ...byPhone }),
    answer: 'page',
    response: Customer,
    summary: 'One page of the customers, or the one with a phone number',
    section: 'Customers',
  },
  customer: {
    ...get,
    path: 'customers/{id}/',
    pathParams: customerId,
    query: Type.Object(withLocations),
    answer: 'one',
    response: Customer,
    summary: 'One customer',
    section: 'Customers',
  },
  createCustomer: {
    ...create,
    path: 'customers/',
    body: CustomerCreate,
    answer: 'one',
    response: Customer,
    summary: 'Create a customer',
    section: 'Customers',
  },
  updateCustomer: {
    ...patch,
    path: 'customers/{id}/',
    pathParams: customerId,
    body: CustomerPatch,
    answer: 'one',
    response: Customer,
    summary: 'Change a customer',
    section: 'Customers',
  },
  customerLocations: {
    ...get,
    path: 'customers/{customer_pk}/locations/',
    pathParams: customerPk,
    query: pages,
    answer: 'page',
    response: CustomerLocation,
    summary: "One page of a customer's locations",
    section: 'Customer locations',
  },
  createCustomerLocation: {
    ...create,
    path: 'customers/{customer_pk}/locations/',
    pathParams: customerPk,
    body: LocationCreate,
    answer: 'one',
    response: CustomerLocation,
    summary: 'Create a location of a customer',
    section: 'Customer locations',
  },
  updateCustomerLocation: {
    ...patch,
    path: 'customers/{customer_pk}/locations/{location_pk}/',
    pathParams: Type.Object({ customer_pk: Type.Integer(), location_pk: Type.Integer() }),
    body: LocationPatch,
    answer: 'one',
    response: CustomerLocation,
    summary: 'Change the directions of a location',
    section: 'Customer locations',
  },
  invoices: {
    ...get,
    path: 'invoices/',
    query: Type.Object({
      year: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 9999, description: 'Only those issued in this year (UTC).' }),
      ),
      month: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 12, description: 'Only those of this month of `year`.' }),
      ),
      ...paging,
    }),
    answer: 'page',
    response: InvoiceListItem,
    summary: 'One page of the invoices of a month, newest first, without their orders',
    section: 'Invoices',
  },
  invoice: {
    ...get,
    path: 'invoices/{invoice_number}/',
    pathParams: Type.Object({ invoice_number: Type.Integer() }),
    answer: 'one',
    response: InvoiceDetail,
    summary: 'One invoice with its orders',
    section: 'Invoices',
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
