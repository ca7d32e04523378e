import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { cutOrderId, cutWhole, idIn, type KnownId, parseList } from '../api/cut-list.ts';
import { contractError, documentFault, faultOf, plainValue } from '../api/decode.ts';
import { parseJson } from '../api/json.ts';
import { decodeList, readList } from '../api/list.ts';
import { type Operation, operations } from '../api/operations.ts';
import type * as wire from '../api/wire.ts';
import { ApiError, ContractError } from '../base/errors.ts';
import { operationUrl, parseBaseUrl, resolveNext, type Scalar } from './address.ts';
import type { Answer, CutPage, Page } from './answer.ts';
import { Exchange, type ExchangeAnswer, type Stats } from './exchange.ts';
import { MASKED_KEY, maskKey, withoutKey } from './mask-key.ts';
import { type ClientOptions, DEFAULTS, type ResolvedOptions, resolveOptions } from './options.ts';
import { acceptedNote } from './read-answer.ts';
import { buildRequest, type HttpRequest } from './transport.ts';
import { type OnAnyPage, type OnPage, type Walk, type WalkedIds, walkList } from './walk.ts';

type Typed<S extends TSchema> = Operation & { response: S };

export interface PageQuery {
  /** From 1. */
  page?: number;
  /** Default: the client's. */
  pageSize?: number;
}

export interface CustomersQuery extends PageQuery {
  /** Yields at most one customer. */
  phoneNumber?: string;
  includeLocations?: boolean;
}

/** A month of the API's own invoice listing; `month` is 1 to 12. */
export interface MonthQuery {
  year: number;
  month: number;
}

/** An operation's arguments: path and query values by their names on the wire, and the body. */
export interface CallInput {
  path?: Readonly<Record<string, Scalar>>;
  query?: Readonly<Record<string, Scalar | undefined>>;
  body?: unknown;
}

/** The request that {@link Client.call} would send, with asterisks for the key. Sends nothing and needs no key. */
export function previewRequest(baseUrl: string, { method, path }: Operation, input: CallInput): HttpRequest {
  const url = operationUrl(parseBaseUrl(baseUrl), path, input.path, input.query);
  return buildRequest(method, url, input.body, { apiKey: MASKED_KEY, userAgent: DEFAULTS.userAgent });
}

/** Makes a client. @throws ConfigError when the base URL or the key cannot be used */
export function createClient(options: ClientOptions): Client {
  return new Client(options);
}

/**
 * The delivery company's API: all 18 operations, typed (spec, 'Endpoints'). Reads are retried; a POST or PATCH is sent
 * again only if it certainly changed nothing. Every method throws AuthError (the key is refused), BudgetError (no more
 * requests for now), ApiError (no answer, or a failure that retries did not cure), ContractError (an answer that breaks
 * the spec) or InterruptedError.
 */
export class Client {
  readonly #exchange: Exchange;
  readonly #options: ResolvedOptions;

  constructor(options: ClientOptions) {
    this.#options = resolveOptions(options);
    this.#exchange = new Exchange(this.#options, options);
  }

  /** The base URL, with a slash at its end. */
  get baseUrl(): string {
    return this.#options.baseUrl.href;
  }

  get pageSize(): number {
    return this.#options.pageSize;
  }

  /** Counts since the client was made; `bytes` are those of the bodies received, decompressed. */
  get stats(): Readonly<Stats> {
    return this.#exchange.stats;
  }

  /** `GET profile/` (spec, 'Profile'): the organisation's name, brand, logo and colour. */
  profile(): Promise<Answer<wire.Profile>> {
    return this.#document(operations.profile);
  }

  /** `GET pickups/` (spec, 'Pickup locations'): all of the merchant's pickup locations; there is no further page. */
  pickups(): Promise<Page<wire.PickupLocation>> {
    return this.#list(operations.pickups);
  }

  /** `GET areas/` (spec, 'Areas'): all available areas, in their reduced form; there is no further page. */
  areas(): Promise<Page<wire.ReducedArea>> {
    return this.#list(operations.areas);
  }

  /** `POST areas/create/` (spec, 'Areas'): the external area that was made from coordinates. */
  createArea(body: wire.AreaCreate): Promise<Answer<wire.Area>> {
    return this.#document(operations.createArea, { body });
  }

  /** `GET orders/` (spec, 'Orders'): one page of the orders. */
  orders(query: PageQuery = {}): Promise<Page<wire.Order>> {
    return this.#list(operations.orders, { query: this.#paging(query) });
  }

  /** `GET orders/{order_id}/` (spec, 'Orders'): one order. */
  order(orderId: string): Promise<Answer<wire.Order>> {
    return this.#document(operations.order, { path: { order_id: orderId } });
  }

  /** `POST orders/` (spec, 'Orders'): the order that was made. */
  createOrder(body: wire.OrderCreate): Promise<Answer<wire.Order>> {
    return this.#document(operations.createOrder, { body });
  }

  /**
   * `POST orders/{order_id}/request-pickup/` (spec, 'Orders'). The spec does not show the body of a success: `value`
   * is its JSON, or null without a body.
   */
  requestPickup(orderId: string): Promise<Answer<unknown>> {
    return this.#document(operations.requestPickup, { path: { order_id: orderId } });
  }

  /**
   * `POST orders/{order_id}/cancel/` (spec, 'Orders'). The spec does not show the body of a success: `value` is its
   * JSON, or null without a body.
   */
  cancelOrder(orderId: string): Promise<Answer<unknown>> {
    return this.#document(operations.cancelOrder, { path: { order_id: orderId } });
  }

  /** `GET customers/` (spec, 'Customers'): one page of the customers, or the one with a phone number. */
  customers({ phoneNumber, includeLocations, ...query }: CustomersQuery = {}): Promise<Page<wire.Customer>> {
    const filters = { phone_number: phoneNumber, include_locations: includeLocations };
    return this.#list(operations.customers, { query: { ...this.#paging(query), ...filters } });
  }

  /** `GET customers/{id}/` (spec, 'Customers'): one customer. */
  customer(id: number, { includeLocations }: { includeLocations?: boolean } = {}): Promise<Answer<wire.Customer>> {
    return this.#document(operations.customer, { path: { id }, query: { include_locations: includeLocations } });
  }

  /** `POST customers/` (spec, 'Customers'): the customer who was made. */
  createCustomer(body: wire.CustomerCreate): Promise<Answer<wire.Customer>> {
    return this.#document(operations.createCustomer, { body });
  }

  /** `PATCH customers/{id}/` (spec, 'Customers'): the customer after the change; what the body leaves out stays. */
  updateCustomer(id: number, body: wire.CustomerPatch): Promise<Answer<wire.Customer>> {
    return this.#document(operations.updateCustomer, { path: { id }, body });
  }

  /** `GET customers/{customer_pk}/locations/` (spec, 'Customer locations'): one page of a customer's locations. */
  customerLocations(customerId: number, query: PageQuery = {}): Promise<Page<wire.CustomerLocation>> {
    return this.#list(operations.customerLocations, { path: { customer_pk: customerId }, query: this.#paging(query) });
  }

  /** `POST customers/{customer_pk}/locations/` (spec, 'Customer locations'): the location that was made. */
  createCustomerLocation(customerId: number, body: wire.LocationCreate): Promise<Answer<wire.CustomerLocation>> {
    return this.#document(operations.createCustomerLocation, { path: { customer_pk: customerId }, body });
  }

  /**
   * `PATCH customers/{customer_pk}/locations/{location_pk}/` (spec, 'Customer locations'): the location after the
   * change.
   */
  updateCustomerLocation(
    customerId: number,
    locationId: number,
    body: wire.LocationPatch,
  ): Promise<Answer<wire.CustomerLocation>> {
    const path = { customer_pk: customerId, location_pk: locationId };
    return this.#document(operations.updateCustomerLocation, { path, body });
  }

  /**
   * `GET invoices/` (spec, 'Invoices'): one page of invoices, newest first, without their orders; of all months or one.
   */
  invoices({ year, month, ...query }: Partial<MonthQuery> & PageQuery = {}): Promise<Page<wire.InvoiceListItem>> {
    return this.#list(operations.invoices, { query: { year, month, ...this.#paging(query) } });
  }

  /** `GET invoices/{invoice_number}/` (spec, 'Invoices'): one invoice with its orders. */
  invoice(number: number): Promise<Answer<wire.InvoiceDetail>> {
    return this.#document(operations.invoice, { path: { invoice_number: number } });
  }

  /**
   * Reads a month's whole invoice list, page by page; up to twice `concurrency` further pages are requested while
   * `onPage` works on one. A list that changed meanwhile is walked again, with `onPage` called for each of its pages
   * again; see {@link Walk}.
   */
  walkInvoices({ year, month }: MonthQuery, onPage: OnPage<wire.InvoiceListItem>): Promise<Walk> {
    return this.#walk(operations.invoices, { year, month }, 'number', onPage);
  }

  /**
   * The orders with this `reference_id`, in the order of the list. Call it before you repeat a `createOrder` whose
   * answer was lost. The API cannot search by reference, so the whole order book is read.
   *
   * @throws ApiError when the list did not come whole, or an order in it cannot be read: the reference may exist then
   */
  async findByReference(reference: string): Promise<wire.Order[]> {
    const found = new Map<string, wire.Order>();
    let fault: string | null = null;
    const walk = await this.walkOrders(({ items }) => {
      for (const item of items) {
        if (!item.ok) fault ??= item.fault.message;
        else if (item.value.reference_id === reference) found.set(item.value.order_id, item.value);
      }
    });
    if (found.size > 0 || (walk.complete && fault === null)) return [...found.values()];
    throw new ApiError(
      `whether an order has the reference ${JSON.stringify(reference.slice(0, 80))} is not known: ${fault ?? 'the list of orders did not come whole'}`,
      'Ask again before you create the order.',
    );
  }

  /** Reads the whole order book as {@link walkInvoices} reads a month. */
  walkOrders(onPage: OnPage<wire.Order>): Promise<Walk> {
    return this.#walk(operations.orders, {}, 'order_id', onPage);
  }

  /**
   * Reads the whole order book for a caller that stores orders as bytes: each page comes cut into the bytes of its
   * orders.
   *
   * @param knownId finds the `order_id` of an order by the SHA-256 of its bytes; an order that it finds is not parsed
   * @param newIds makes the collection of a walk's ids, for a book of more orders than memory should hold
   */
  walkOrderBook(knownId: KnownId, onPage: OnAnyPage<CutPage>, newIds?: () => WalkedIds): Promise<Walk> {
    const fetchPage = (url: string) => this.#cutPage(url, knownId);
    const first = this.#firstPage(operations.orders, {});
    return walkList({ first, fetchPage, idOf: cutOrderId, ahead: this.#ahead, newIds }, onPage);
  }

  /** One page of the order book, from 1, as {@link walkOrderBook} reads each. */
  async orderBookPage(page: number, knownId: KnownId): Promise<CutPage> {
    return this.#cutPage(this.#url(operations.orders, { query: this.#paging({ page }) }), knownId);
  }

  /** One order as a page of its own, for the caller of {@link walkOrderBook}. */
  async orderAsPage(orderId: string, knownId: KnownId): Promise<CutPage> {
    const url = this.#url(operations.order, { path: { order_id: orderId } });
    const parse = (bytes: Buffer) => cutWhole(bytes, knownId);
    const exchanged = await this.#exchange.exchange('GET', url, undefined, parse);
    return this.#pageOf(exchanged, (document) => ({ ...document!, count: null, next: null }));
  }

  /** Calls any operation by its entry in `operations`, with names as on the wire. */
  call(operation: Operation, input: CallInput = {}): Promise<Answer<unknown> | Page<unknown>> {
    const isList = operation.answer === 'page' || operation.answer === 'list';
    return isList ? this.#list(operation, input) : this.#document(operation, input);
  }

  /** Aborts requests under way and closes the connections. */
  close(): Promise<void> {
    return this.#exchange.close();
  }

  #paging({ page, pageSize }: PageQuery): Record<string, number | undefined> {
    return { page, page_size: pageSize ?? this.#options.pageSize };
  }

  #url({ path }: Operation, input: CallInput): string {
    return operationUrl(this.#options.baseUrl, path, input.path, input.query);
  }

  #send(operation: Operation, input: CallInput): Promise<ExchangeAnswer> {
    return this.#exchange.exchange(operation.method, this.#url(operation, input), input.body, parseJson);
  }

  async #document<S extends TSchema>(operation: Typed<S>, input: CallInput = {}): Promise<Answer<Static<S>>> {
    const { document, body, url, receivedAt, status } = await this.#send(operation, input);
    // If the spec does not show the success body, any body is accepted; else an answer without one is a fault.
    const schema: TSchema = operation.answer === 'any' ? ANYTHING : operation.response;
    const fault = document ? documentFault(schema, document) : faultOf(schema, undefined);
    if (fault !== null) {
      const reason = fault.reason + acceptedNote(operation.method, status);
      throw withoutKey(contractError({ ...fault, reason }, body), this.#options.apiKey);
    }
    const value = (document ? plainValue(schema, document.value) : null) as Static<S>;
    return { value, body, url, receivedAt, status };
  }

  async #list<S extends TSchema>(operation: Typed<S>, input: CallInput = {}): Promise<Page<Static<S>>> {
    return this.#readPage(await this.#send(operation, input), operation.response);
  }

  #readPage<S extends TSchema>(exchanged: ExchangeAnswer, schema: S): Page<Static<S>> {
    return this.#pageOf(exchanged, (document) => {
      const list = decodeList(schema, document?.value, document?.deepItems);
      for (const item of list.items) if (!item.ok) withoutKey(item.fault, this.#options.apiKey);
      return list;
    });
  }

  async #cutPage(url: string, knownId: KnownId): Promise<CutPage> {
    const parse = (bytes: Buffer) => parseList(bytes, knownId);
    const exchanged = await this.#exchange.exchange('GET', url, undefined, parse);
    return this.#pageOf(exchanged, (document) => {
      const { items, count, next } = readList(document?.value);
      const cut = document?.cut;
      if (cut?.items.length !== items.length) {
        const hint = 'The answer is kept; send the delivery company this message.';
        throw new ContractError('a page of the order book cannot be taken apart into its orders', hint);
      }
      return { ...cut, count, next };
    });
  }

  /** The page in an answer. @param read finds the list's items, its stated count and its next address */
  #pageOf<D, L extends { count: number | null; next: string | null }>(
    { document, body, url, receivedAt, status }: ExchangeAnswer<D>,
    read: (document: D | undefined) => L,
  ) {
    const { apiKey, baseUrl } = this.#options;
    try {
      const list = read(document);
      const following = list.next === null ? null : resolveNext(list.next, url, baseUrl.origin);
      // The address is kept as evidence, so the key is masked in it too.
      return { ...list, next: following, body, url: maskKey(url, apiKey), receivedAt, status };
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      const { message, hint, path } = error;
      throw withoutKey(new ContractError(message, hint, { path, body }), apiKey);
    }
  }

  #walk<S extends TSchema>(
    operation: Typed<S>,
    query: Record<string, number | undefined>,
    idField: string,
    onPage: OnPage<Static<S>>,
  ): Promise<Walk> {
    const fetchPage = async (url: string) => {
      return this.#readPage(await this.#exchange.exchange('GET', url, undefined, parseJson), operation.response);
    };
    const idOf = ({ raw }: Page<Static<S>>['items'][number]) => idIn(raw, idField);
    return walkList({ first: this.#firstPage(operation, query), fetchPage, idOf, ahead: this.#ahead }, onPage);
  }

  #firstPage(operation: Operation, query: Record<string, number | undefined>): string {
    return this.#url(operation, { query: { ...query, ...this.#paging({}) } });
  }

  /** Twice as many as may be under way at once, so that one late page leaves no slot empty. */
  get #ahead(): number {
    return 2 * this.#options.concurrency;
  }
}

const ANYTHING = Type.Unknown();
