import { type Kysely, type Migration, sql } from 'kysely';
import type { MigrationDialect } from './dialect.ts';

/**
 * The ledger's first shape. Money columns count 1/10,000 of the currency's unit. Rows point at the evidence that they
 * were derived from by its SHA-256 and hold no run numbers or clock times of their own, so that the same answers make
 * the same rows, however often a sync was interrupted.
 */
export function ledger(dialect: MigrationDialect): Migration {
  const { integer, blob, tableEnd, clusteredTableEnd } = dialect;

  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const { schema } = db;

      await schema
        .createTable('run')
        .addColumn('id', integer, (c) => c.primaryKey())
        .addColumn('command', 'text', (c) => c.notNull())
        .addColumn('started_at', 'text', (c) => c.notNull())
        .addColumn('finished_at', 'text')
        .addColumn('status', 'text', (c) =>
          c.notNull().check(sql`status in ('running', 'complete', 'partial', 'failed', 'interrupted')`),
        )
        .addColumn('remit_version', 'text', (c) => c.notNull())
        .addColumn('summary', 'text')
        .modifyEnd(tableEnd)
        .execute();

      await schema
        .createTable('evidence_body')
        .addColumn('sha256', 'text', (c) => c.primaryKey())
        .addColumn('encoding', 'text', (c) => c.notNull())
        .addColumn('size', integer, (c) => c.notNull())
        .addColumn('body', blob, (c) => c.notNull())
        .modifyEnd(tableEnd)
        .execute();

      await schema
        .createTable('evidence')
        .addColumn('id', integer, (c) => c.primaryKey())
        .addColumn('run_id', integer, (c) => c.notNull().references('run.id'))
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('subject', 'text', (c) => c.notNull())
        .addColumn('url', 'text', (c) => c.notNull())
        .addColumn('received_at', 'text', (c) => c.notNull())
        .addColumn('sha256', 'text', (c) => c.notNull().references('evidence_body.sha256'))
        .addColumn('fault', 'text')
        .modifyEnd(tableEnd)
        .execute();
      await schema.createIndex('evidence_by_subject').on('evidence').columns(['kind', 'subject', 'id']).execute();
      await schema.createIndex('evidence_by_run').on('evidence').column('run_id').execute();

      await schema
        .createTable('account')
        .addColumn('id', integer, (c) => c.primaryKey().check(sql`id = 1`))
        .addColumn('api_url', 'text', (c) => c.notNull())
        .addColumn('organisation_name', 'text', (c) => c.notNull())
        .addColumn('brand', 'text')
        .addColumn('logo_url', 'text')
        .addColumn('primary_color', 'text')
        .addColumn('profile_sha256', 'text', (c) => c.notNull().references('evidence_body.sha256'))
        .addColumn('logo_sha256', 'text', (c) => c.references('evidence_body.sha256'))
        .modifyEnd(tableEnd)
        .execute();

      await schema
        .createTable('listing')
        .addColumn('id', integer, (c) => c.primaryKey())
        .addColumn('run_id', integer, (c) => c.notNull().references('run.id'))
        .addColumn('kind', 'text', (c) => c.notNull().check(sql`kind in ('invoices', 'orders')`))
        .addColumn('period', 'text')
        .addColumn('finished_at', 'text', (c) => c.notNull())
        .addColumn('complete', integer, (c) => c.notNull())
        .addColumn('stated_count', integer)
        .addColumn('seen_count', integer, (c) => c.notNull())
        .modifyEnd(tableEnd)
        .execute();
      await schema.createIndex('listing_by_period').on('listing').columns(['kind', 'period', 'id']).execute();

      await schema
        .createTable('invoice')
        .addColumn('number', integer, (c) => c.primaryKey())
        .addColumn('period', 'text', (c) => c.notNull())
        .addColumn('status', 'text', (c) => c.notNull())
        .addColumn('issued_at', 'text', (c) => c.notNull())
        .addColumn('row_count', integer, (c) => c.notNull())
        .addColumn('detail_sha256', 'text', (c) => c.notNull().references('evidence_body.sha256'))
        .addColumn('list_status', 'text')
        .addColumn('list_status_display', 'text')
        .addColumn('list_issued_at', 'text')
        .addColumn('list_order_count', integer)
        .addColumn('list_row_sha256', 'text')
        .addColumn('vanished_at', 'text')
        .modifyEnd(tableEnd)
        .execute();
      await schema.createIndex('invoice_by_period').on('invoice').columns(['period', 'number']).execute();

      await schema
        .createTable('invoice_amount')
        .addColumn('invoice_number', integer, (c) => c.notNull().references('invoice.number'))
        .addColumn('currency', 'text', (c) => c.notNull())
        .addColumn('cod', integer, (c) => c.notNull())
        .addColumn('delivery_fee', integer, (c) => c.notNull())
        .addColumn('net_due_to_merchant', integer, (c) => c.notNull())
        .addPrimaryKeyConstraint('invoice_amount_key', ['invoice_number', 'currency'])
        .modifyEnd(clusteredTableEnd)
        .execute();

      await schema
        .createTable('invoice_list_amount')
        .addColumn('invoice_number', integer, (c) => c.notNull().references('invoice.number'))
        .addColumn('currency', 'text', (c) => c.notNull())
        .addColumn('cod', integer, (c) => c.notNull())
        .addColumn('delivery_fee', integer, (c) => c.notNull())
        .addColumn('net_due_to_merchant', integer, (c) => c.notNull())
        .addPrimaryKeyConstraint('invoice_list_amount_key', ['invoice_number', 'currency'])
        .modifyEnd(clusteredTableEnd)
        .execute();

      await schema
        .createTable('invoice_order')
        .addColumn('invoice_number', integer, (c) => c.notNull().references('invoice.number'))
        .addColumn('position', integer, (c) => c.notNull())
        .addColumn('order_id', 'text', (c) => c.notNull())
        .addColumn('reference_id', 'text', (c) => c.notNull())
        .addColumn('workflow', 'text', (c) => c.notNull())
        .addColumn('delivery_state', 'text', (c) => c.notNull())
        .addColumn('payment_state', 'text', (c) => c.notNull())
        .addPrimaryKeyConstraint('invoice_order_key', ['invoice_number', 'position'])
        .modifyEnd(clusteredTableEnd)
        .execute();
      await schema
        .createIndex('invoice_order_by_order')
        .on('invoice_order')
        .columns(['order_id', 'invoice_number'])
        .execute();

      await schema
        .createTable('invoice_order_amount')
        .addColumn('invoice_number', integer, (c) => c.notNull())
        .addColumn('position', integer, (c) => c.notNull())
        .addColumn('currency', 'text', (c) => c.notNull())
        .addColumn('cod', integer, (c) => c.notNull())
        .addColumn('delivery_fee', integer, (c) => c.notNull())
        .addPrimaryKeyConstraint('invoice_order_amount_key', ['invoice_number', 'position', 'currency'])
        .addForeignKeyConstraint('invoice_order_amount_row', ['invoice_number', 'position'], 'invoice_order', [
          'invoice_number',
          'position',
        ])
        .modifyEnd(clusteredTableEnd)
        .execute();

      await schema
        .createTable('courier_order')
        .addColumn('order_id', 'text', (c) => c.primaryKey())
        .addColumn('reference_id', 'text', (c) => c.notNull())
        .addColumn('workflow', 'text', (c) => c.notNull())
        .addColumn('is_exchange', integer, (c) => c.notNull())
        .addColumn('delivery_state', 'text', (c) => c.notNull())
        .addColumn('payment_state', 'text', (c) => c.notNull())
        .addColumn('merchant_invoice', 'text')
        .addColumn('merchant_location', integer)
        .addColumn('number_of_packages', integer)
        .addColumn('return_reason', 'text')
        .addColumn('customer_id', integer)
        .addColumn('area_id', integer)
        .addColumn('area_name', 'text')
        .addColumn('district', 'text')
        .addColumn('first_delivered_at', 'text')
        .addColumn('fee_stated', integer, (c) => c.notNull())
        .addColumn('row_sha256', 'text', (c) => c.notNull())
        .addColumn('page_sha256', 'text', (c) => c.notNull().references('evidence_body.sha256'))
        .addColumn('vanished_at', 'text')
        .modifyEnd(tableEnd)
        .execute();
      await schema.createIndex('courier_order_by_reference').on('courier_order').column('reference_id').execute();
      await schema.createIndex('courier_order_by_invoice').on('courier_order').column('merchant_invoice').execute();

      await schema
        .createTable('courier_order_amount')
        .addColumn('order_id', 'text', (c) => c.notNull().references('courier_order.order_id'))
        .addColumn('currency', 'text', (c) => c.notNull())
        .addColumn('cod', integer, (c) => c.notNull())
        .addColumn('delivery_fee', integer, (c) => c.notNull())
        .addPrimaryKeyConstraint('courier_order_amount_key', ['order_id', 'currency'])
        .modifyEnd(clusteredTableEnd)
        .execute();

      await schema
        .createTable('statestamp')
        .addColumn('order_id', 'text', (c) => c.notNull().references('courier_order.order_id'))
        .addColumn('position', integer, (c) => c.notNull())
        .addColumn('delivery_state', 'text', (c) => c.notNull())
        .addColumn('payment_state', 'text', (c) => c.notNull())
        .addColumn('stamped_at', 'text', (c) => c.notNull())
        .addPrimaryKeyConstraint('statestamp_key', ['order_id', 'position'])
        .modifyEnd(clusteredTableEnd)
        .execute();

      await schema
        .createTable('order_state_change')
        .addColumn('id', integer, (c) => c.primaryKey())
        .addColumn('order_id', 'text', (c) => c.notNull().references('courier_order.order_id'))
        .addColumn('seen_at', 'text', (c) => c.notNull())
        .addColumn('from_delivery_state', 'text', (c) => c.notNull())
        .addColumn('to_delivery_state', 'text', (c) => c.notNull())
        .addColumn('from_payment_state', 'text', (c) => c.notNull())
        .addColumn('to_payment_state', 'text', (c) => c.notNull())
        .addColumn('from_page_sha256', 'text', (c) => c.notNull().references('evidence_body.sha256'))
        .addColumn('to_page_sha256', 'text', (c) => c.notNull().references('evidence_body.sha256'))
        .modifyEnd(tableEnd)
        .execute();
      await schema
        .createIndex('order_state_change_by_order')
        .on('order_state_change')
        .columns(['order_id', 'id'])
        .execute();
      // What went backwards is found by its pair of states: one look-up, however long the history has grown.
      for (const state of ['delivery', 'payment']) {
        await schema
          .createIndex(`order_state_change_by_${state}`)
          .on('order_state_change')
          .columns([`from_${state}_state`, `to_${state}_state`, 'order_id'])
          .execute();
      }

      await schema
        .createTable('mismatch')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('code', 'text', (c) => c.notNull())
        .addColumn('severity', 'text', (c) => c.notNull().check(sql`severity in ('error', 'warning', 'info')`))
        .addColumn('period', 'text', (c) => c.notNull())
        .addColumn('invoice_number', integer)
        .addColumn('order_id', 'text')
        .addColumn('reference_id', 'text')
        .addColumn('currency', 'text')
        .addColumn('field', 'text')
        .addColumn('expected', 'text')
        .addColumn('actual', 'text')
        .addColumn('difference', 'text')
        .addColumn('effect', 'text')
        .addColumn('message', 'text', (c) => c.notNull())
        .addColumn('status', 'text', (c) => c.notNull().check(sql`status in ('open', 'acknowledged', 'resolved')`))
        .addColumn('note', 'text')
        .modifyEnd(tableEnd)
        .execute();
      await schema.createIndex('mismatch_by_period').on('mismatch').columns(['period', 'code']).execute();

      await schema
        .createTable('mismatch_event')
        .addColumn('id', integer, (c) => c.primaryKey())
        .addColumn('mismatch_id', 'text', (c) => c.notNull().references('mismatch.id'))
        .addColumn('at', 'text', (c) => c.notNull())
        .addColumn('actor', 'text', (c) => c.notNull())
        .addColumn('from_status', 'text')
        .addColumn('to_status', 'text', (c) => c.notNull())
        .addColumn('note', 'text')
        .modifyEnd(tableEnd)
        .execute();
      await schema
        .createIndex('mismatch_event_by_mismatch')
        .on('mismatch_event')
        .columns(['mismatch_id', 'id'])
        .execute();

      for (const table of ['evidence_body', 'evidence', 'mismatch_event', 'order_state_change']) {
        for (const statement of dialect.appendOnly(table)) await statement.execute(db);
      }

      const text = dialect.decimalText;
      await sql`create view invoices as
        select i.number, i.period, i.status, i.issued_at, i.row_count as orders, a.currency,
          ${text('a.cod')} as cod, ${text('a.delivery_fee')} as delivery_fee,
          ${text('a.net_due_to_merchant')} as net_due_to_merchant
        from invoice i left join invoice_amount a on a.invoice_number = i.number
        where i.vanished_at is null`.execute(db);
      await sql`create view invoice_rows as
        select i.period, o.invoice_number, o.position, o.order_id, o.reference_id, o.workflow, o.delivery_state,
          o.payment_state, a.currency, ${text('a.cod')} as cod, ${text('a.delivery_fee')} as delivery_fee,
          ${text('(a.cod - a.delivery_fee)')} as net
        from invoice i
        join invoice_order o on o.invoice_number = i.number
        left join invoice_order_amount a on a.invoice_number = o.invoice_number and a.position = o.position
        where i.vanished_at is null`.execute(db);
      await sql`create view order_book as
        select o.order_id, o.reference_id, o.workflow, o.delivery_state, o.payment_state, o.merchant_invoice,
          o.district, o.area_name, o.first_delivered_at, a.currency,
          ${text('a.cod')} as cod, ${text('a.delivery_fee')} as delivery_fee
        from courier_order o left join courier_order_amount a on a.order_id = o.order_id
        where o.vanished_at is null`.execute(db);
    },
  };
}
