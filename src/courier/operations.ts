/** The 18 operations of the API (spec, 'Endpoints'), one entry each: what the client calls, what `remit api` lists and runs. */
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
  /** `one` document, a whole `list`, a `page` of a list, or `any` where the success body is not shown by the spec. */
  readonly answer: 'one' | 'list' | 'page' | 'any';
  /** The document, or one item of the list. */
  readonly response: TSchema;
  readonly summary: string;
  /** The section of the spec under 'Endpoints'. */
  readonly section: string;
}

const none = Type.Object({});
const orderId = Type.Object({ order_id: Type.String() });
const customerId = Type.Object({ id: Type.Integer() });
const customerPk = Type.Object({ customer_pk: Type.Integer() });
const paging = { page: Type.Optional(Type.Integer()), page_size: Type.Optional(Type.Integer()) };
const pages = Type.Object(paging);
/** The spec does not show the names of the locations switch and the phone filter; these are the sandbox's. */
const withLocations = { include_locations: Type.Optional(Type.Boolean()) };

export const operations = {
  profile: {
    method: 'GET',
    path: 'profile/',
    pathParams: none,
    query: none,
    body: null,
    answer: 'one',
    response: Profile,
    summary: 'The organisation profile of the merchant',
    section: 'Profile',
  },
  pickups: {
    method: 'GET',
    path: 'pickups/',
    pathParams: none,
    query: none,
    body: null,
    answer: 'list',
    response: PickupLocation,
    summary: "The merchant's pickup locations",
    section: 'Pickup locations',
  },
  areas: {
    method: 'GET',
    path: 'areas/',
    pathParams: none,
    query: none,
    body: null,
    answer: 'list',
    response: ReducedArea,
    summary: 'The available areas',
    section: 'Areas',
  },
  createArea: {
    method: 'POST',
    path: 'areas/create/',
    pathParams: none,
    query: none,
    body: AreaCreate,
    answer: 'one',
    response: Area,
    summary: 'Create an external area from coordinates',
    section: 'Areas',
  },
  orders: {
    method: 'GET',
    path: 'orders/',
    pathParams: none,
    query: pages,
    body: null,
    answer: 'page',
    response: Order,
    summary: 'One page of the orders',
    section: 'Orders',
  },
  order: {
    method: 'GET',
    path: 'orders/{order_id}/',
    pathParams: orderId,
    query: none,
    body: null,
    answer: 'one',
    response: Order,
    summary: 'One order',
    section: 'Orders',
  },
  createOrder: {
    method: 'POST',
    path: 'orders/',
    pathParams: none,
    query: none,
    body: OrderCreate,
    answer: 'one',
    response: Order,
    summary: 'Create an order',
    section: 'Orders',
  },
  requestPickup: {
    method: 'POST',
    path: 'orders/{order_id}/request-pickup/',
    pathParams: orderId,
    query: none,
    body: null,
    answer: 'any',
    response: Type.Unknown(),
    summary: 'Request the pickup of an order that is CREATED',
    section: 'Orders',
  },
  cancelOrder: {
    method: 'POST',
    path: 'orders/{order_id}/cancel/',
    pathParams: orderId,
    query: none,
    body: null,
    answer: 'any',
    response: Type.Unknown(),
    summary: 'Cancel an order that is not delivered',
    section: 'Orders',
  },
  customers: {
    method: 'GET',
    path: 'customers/',
    pathParams: none,
    query: Type.Object({ ...paging, ...withLocations, phone_number: Type.Optional(Type.String()) }),
    body: null,
    answer: 'page',
    response: Customer,
    summary: 'One page of the customers, or the one with a phone number',
    section: 'Customers',
  },
  customer: {
    method: 'GET',
    path: 'customers/{id}/',
    pathParams: customerId,
    query: Type.Object(withLocations),
    body: null,
    answer: 'one',
    response: Customer,
    summary: 'One customer',
    section: 'Customers',
  },
  createCustomer: {
    method: 'POST',
    path: 'customers/',
    pathParams: none,
    query: none,
    body: CustomerCreate,
    answer: 'one',
    response: Customer,
    summary: 'Create a customer',
    section: 'Customers',
  },
  updateCustomer: {
    method: 'PATCH',
    path: 'customers/{id}/',
    pathParams: customerId,
    query: none,
    body: CustomerPatch,
    answer: 'one',
    response: Customer,
    summary: 'Change a customer',
    section: 'Customers',
  },
  customerLocations: {
    method: 'GET',
    path: 'customers/{customer_pk}/locations/',
    pathParams: customerPk,
    query: pages,
    body: null,
    answer: 'page',
    response: CustomerLocation,
    summary: "One page of a customer's locations",
    section: 'Customer locations',
  },
  createCustomerLocation: {
    method: 'POST',
    path: 'customers/{customer_pk}/locations/',
    pathParams: customerPk,
    query: none,
    body: LocationCreate,
    answer: 'one',
    response: CustomerLocation,
    summary: 'Create a location of a customer',
    section: 'Customer locations',
  },
  updateCustomerLocation: {
    method: 'PATCH',
    path: 'customers/{customer_pk}/locations/{location_pk}/',
    pathParams: Type.Object({ customer_pk: Type.Integer(), location_pk: Type.Integer() }),
    query: none,
    body: LocationPatch,
    answer: 'one',
    response: CustomerLocation,
    summary: 'Change the directions of a location',
    section: 'Customer locations',
  },
  invoices: {
    method: 'GET',
    path: 'invoices/',
    pathParams: none,
    query: Type.Object({
      year: Type.Optional(Type.Integer()),
      month: Type.Optional(Type.Integer({ minimum: 1, maximum: 12 })),
      ...paging,
    }),
    body: null,
    answer: 'page',
    response: InvoiceListItem,
    summary: 'One page of the invoices of a month, newest first, without their orders',
    section: 'Invoices',
  },
  invoice: {
    method: 'GET',
    path: 'invoices/{invoice_number}/',
    pathParams: Type.Object({ invoice_number: Type.Integer() }),
    query: none,
    body: null,
    answer: 'one',
    response: InvoiceDetail,
    summary: 'One invoice with its orders',
    section: 'Invoices',
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
