import type { VNode } from 'preact';
import type { Models } from '../models.ts';
import { ClaimPage, ClaimsPage } from './claims.tsx';
import { DecidingPage } from './deciding.tsx';
import { FilesPage } from './files.tsx';
import { HomePage } from './home.tsx';
import { ApprovalsPage, ClosesPage, DecisionsPage, ImportsPage, SettlementsPage, ViewsPage } from './lists.tsx';
import { MapPage } from './map.tsx';
import { MismatchPage } from './mismatch.tsx';
import { MismatchesPage } from './mismatches.tsx';
import { MonthPage } from './month.tsx';
import { ReceiptsPage } from './receipts.tsx';
import { RefusalPage } from './refusal.tsx';
import { ReportPage, ReportsPage, RowsPage, RunsPage } from './reports.tsx';
import { SearchPage } from './search.tsx';
import { ComputingPage, EmptyPage, SyncPage } from './sync.tsx';
import { ClosePage, EvidencePage, InvoicePage, OrderPage, ReceiptPage, RunPage } from './thing-pages.tsx';

/** Draws a page from its model: the whole `<html>` element. Its context is that of `usePage`. */
type Page<Model> = (model: Model) => VNode;

export const PAGES: { readonly [Name in keyof Models]: Page<Models[Name]> } = {
  home: HomePage,
  month: MonthPage,
  mismatches: MismatchesPage,
  mismatch: MismatchPage,
  invoice: InvoicePage,
  order: OrderPage,
  rows: RowsPage,
  receipts: ReceiptsPage,
  receipt: ReceiptPage,
  evidence: EvidencePage,
  runs: RunsPage,
  run: RunPage,
  imports: ImportsPage,
  closes: ClosesPage,
  close: ClosePage,
  settlements: SettlementsPage,
  claims: ClaimsPage,
  claim: ClaimPage,
  search: SearchPage,
  decisions: DecisionsPage,
  approvals: ApprovalsPage,
  views: ViewsPage,
  reports: ReportsPage,
  report: ReportPage,
  refusal: RefusalPage,
  deciding: DecidingPage,
  sync: SyncPage,
  files: FilesPage,
  map: MapPage,
  empty: EmptyPage,
  computing: ComputingPage,
};
